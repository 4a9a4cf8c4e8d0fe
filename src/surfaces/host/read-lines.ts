// Reads lines from a pipe, and reports its end. Prompts may be long, so chunks are joined once.
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';

export interface LineListener {
  onLine(line: string): void;
  /** Called once, at the end or at any failure of the pipe. */
  onEnd(): void;
}

export function readLines(stream: Readable, listener: LineListener): void {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let isEnded = false;
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n');
    pieces.push(first);
    for (const other of others) {
      const line = pieces.join('');
      pieces = [other];
      if (line !== '') listener.onLine(line);
    }
  });
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    listener.onEnd();
  };
  stream.on('end', end);
  stream.on('error', end);
  stream.on('close', end);
}
