// Sends one POST of JSON. Follows no redirect and reads only the start of the answer.
import type { IncomingMessage } from 'node:http';
import { httpFor, networkCode } from '#adapters/machine/http.ts';

export type PostAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly beginning: string;
    }
  | { readonly kind: 'broken'; readonly problem: string };

const beginningMax = 300;
/** The status is already known; its text is worth only a short wait. */
const beginningWaitMs = 1000;

export function postJson(
  url: URL,
  body: unknown,
  { headers, signal }: { headers: { readonly [name: string]: string }; signal: AbortSignal },
): Promise<PostAnswer> {
  const text = Buffer.from(JSON.stringify(body));
  return new Promise((resolve) => {
    const broken = (error: unknown): void =>
      resolve({ kind: 'broken', problem: signal.aborted ? 'no answer in time' : problemOf(error) });
    if (signal.aborted) return broken(null);
    const { request: start } = httpFor(url.protocol);
    const request = start(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': text.length,
        'user-agent': 'untildone',
        ...headers,
      },
      signal,
    });
    request.once('error', broken);
    request.once('response', (response) => {
      const { statusCode: status, headers: responseHeaders } = response;
      if (status === undefined) return broken(new Error('its answer has no status'));
      void beginningOf(response, status).then((beginning) => {
        request.destroy();
        resolve({ kind: 'answered', status, retryAfter: responseHeaders['retry-after'] ?? null, beginning });
      });
    });
    request.end(text);
  });
}

/** The first bytes explain a refusal; a success needs no text. */
function beginningOf(response: IncomingMessage, status: number): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(''), beginningWaitMs);
    const done = (text: string): void => {
      clearTimeout(timer);
      resolve(text);
    };
    response.on('error', () => done(''));
    if (status < 300) return done('');
    response.once('data', (chunk: Buffer) => done(chunk.toString('utf8', 0, beginningMax)));
    response.once('close', () => done(''));
  });
}

function problemOf(error: unknown): string {
  const code = networkCode(error);
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (ECONNREFUSED)';
    case 'ENOTFOUND':
      return 'its name is not known (ENOTFOUND)';
    default:
      return code ?? (error instanceof Error ? error.message : 'no answer');
  }
}
