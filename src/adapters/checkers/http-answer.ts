// Sends one HTTP request and reads one answer: no redirects, no proxy, a bounded body.
import { errorText } from '#base/error-text.ts';
import { httpFor, networkCode, readBody } from '#adapters/machine/http.ts';

export type HttpAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly location: string | null;
      readonly body: string;
      /** The address that answered, after name resolution. */
      readonly from: string;
    }
  /** Nothing listens yet; a later request may succeed. */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'silent' }
  | { readonly kind: 'broken'; readonly problem: string };

/** Larger than any page; text beyond it is not searched. */
export const bodyBytesMax = 4 * 1024 * 1024;

export function ask(url: URL, signal: AbortSignal): Promise<HttpAnswer> {
  if (signal.aborted) return Promise.resolve({ kind: 'silent' });
  return new Promise((resolve) => {
    const { request: start } = httpFor(url.protocol);
    const request = start(url, { agent: false, headers: { accept: '*/*' }, signal });
    request.once('error', (error) => resolve(signal.aborted ? { kind: 'silent' } : noAnswer(error)));
    request.once('response', (response) => {
      const from = response.socket.remoteAddress ?? '';
      const status = response.statusCode;
      if (status === undefined) return resolve({ kind: 'broken', problem: 'its answer has no status' });
      readBody(response, bodyBytesMax).then(
        (body) =>
          resolve({ kind: 'answered', status, location: response.headers.location ?? null, body, from }),
        (error: unknown) => resolve(signal.aborted ? { kind: 'silent' } : noAnswer(error)),
      );
    });
    request.end();
  });
}

const notYet = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH']);

function noAnswer(error: unknown): HttpAnswer {
  const code = networkCode(error);
  if (code !== null && notYet.has(code)) return { kind: 'refused', code };
  const message = errorText(error);
  return {
    kind: 'broken',
    problem: code === 'ENOTFOUND' ? 'its name is not known' : ((message || code) ?? 'no answer'),
  };
}
