// Splits chunks of bytes into lines in bounded memory: a line that is too long is cut to its head and marked.
import { StringDecoder } from 'node:string_decoder';

export interface BoundedLines {
  /** Contract: lines are delivered one by one, in order; waits for each of them. */
  add(chunk: Buffer): Promise<void>;
  /** Delivers the text after the last line end. */
  end(): Promise<void>;
}

export interface Line {
  readonly text: string;
  /** Bytes that were cut from its end; if above zero, `text` is only its beginning. */
  readonly cutBytes: number;
}

/** Clients put whole files and tool outputs into one line; no sane client exceeds this. */
const lineBytesMax = 8 * 1024 * 1024;
const headBytes = 4_096;
const lineEnd = 0x0a;

export function createBoundedLines(
  onLine: (line: Line) => void | Promise<void>,
  bytesMax: number = lineBytesMax,
): BoundedLines {
  let parts: Buffer[] = [];
  let length = 0;
  let cutBytes = 0;

  const keep = (part: Buffer): void => {
    if (cutBytes > 0) {
      cutBytes += part.length;
      return;
    }
    parts.push(part);
    length += part.length;
    if (length <= bytesMax) return;
    const head = Buffer.from(Buffer.concat(parts).subarray(0, headBytes));
    cutBytes = length - head.length;
    parts = [head];
    length = head.length;
  };
  const take = (): Line => {
    const line = { text: new StringDecoder('utf8').write(Buffer.concat(parts)), cutBytes };
    parts = [];
    length = 0;
    cutBytes = 0;
    return { ...line, text: line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text };
  };

  return {
    add: async (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
        keep(chunk.subarray(from, at));
        from = at + 1;
        const line = take();
        if (line.text !== '') await onLine(line);
      }
      // A copy: the chunk's memory may belong to a pool and be reused.
      if (from < chunk.length) keep(Buffer.from(chunk.subarray(from)));
    },
    end: async () => {
      const line = take();
      if (line.text !== '') await onLine(line);
    },
  };
}
