// A receiver on loopback with scripted answers, for the tests of webhooks.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** How the next requests are answered, one each; afterwards with 200. */
  answer(...answers: ((response: ServerResponse) => void)[]): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: text === '' ? null : (JSON.parse(text) as unknown) });
      (answers.shift() ?? ((fine) => fine.end('ok')))(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (...more) => void answers.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function status(code: number, headers: { readonly [name: string]: string } = {}, body = '') {
  return (response: ServerResponse): void => void response.writeHead(code, headers).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  return text;
}
