// Loads Node's HTTP lazily: an ES module that imports node:http also loads fetch, 75 ms of every start.
import type * as nodeHttp from 'node:http';
import type * as nodeHttps from 'node:https';
import { errorCode } from '#base/error-code.ts';

export function http(): typeof nodeHttp {
  return process.getBuiltinModule('node:http');
}

export function httpFor(protocol: string): typeof nodeHttp | typeof nodeHttps {
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : http();
}

/** Reads the start of a body, up to a limit. */
export async function readBody(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytesMax) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, bytesMax);
}

/** Why there was no answer. For a name with several addresses, Node reports all errors at once. */
export function networkCode(error: unknown): string | null {
  return error instanceof AggregateError ? networkCode(error.errors[0]) : errorCode(error);
}
