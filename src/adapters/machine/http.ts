// Node's HTTP. Not by `import`: an ES module that names node:http also loads Node's whole fetch, 75 ms of every start.
import type * as nodeHttp from 'node:http';
import type * as nodeHttps from 'node:https';
import { errorCode } from '#base/error-code.ts';

export function http(): typeof nodeHttp {
  return process.getBuiltinModule('node:http');
}

/** For an address of this protocol, `https:` or `http:`. */
export function httpFor(protocol: string): typeof nodeHttp | typeof nodeHttps {
  return protocol === 'https:' ? process.getBuiltinModule('node:https') : http();
}

/** The beginning of a body; what is longer is cut, never kept. */
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

/** Why there was no answer. Where a name has several addresses, Node tells of all of them at once. */
export function networkCode(error: unknown): string | null {
  return error instanceof AggregateError ? networkCode(error.errors[0]) : errorCode(error);
}
