// The end of a session log that is too long. Text is quoted only when it is written: most of a flood never is.
import { createTailQueue } from '#adapters/logs/tail-queue.ts';
import { encodeTextLine } from './text-line.ts';

export interface LineTail {
  addText(at: number, text: string): void;
  /** Of any other kind, as it will stand in the file. */
  addLine(line: Buffer): void;
  /** Empties it. Contract: the lines together are at most `bytesMax` long, or there is only the last one. */
  take(): { readonly lines: readonly TailLine[]; readonly dropped: number };
}

export interface TailLine {
  /** Of the text, or of the whole line. */
  readonly length: number;
  /** Passes the line to `write`; the bytes are valid only until it returns. */
  encode(write: (bytes: Buffer) => void): void;
}

/** Before each: whether it is quoted already (1 byte), its time (8) and its length (4). */
const headLength = 13;

export function createLineTail(bytesMax: number): LineTail {
  const queue = createTailQueue(bytesMax);
  let added = 0;
  const addLine = (line: Buffer): void =>
    queue.pushWith(headLength + line.length, (place) => {
      writeHead(place, { isQuoted: true, at: 0, length: line.length });
      added += line.length;
      return headLength + line.copy(place, headLength);
    });
  return {
    addLine,
    addText: (at, text) => {
      // A lone surrogate has no UTF-8.
      if (!text.isWellFormed()) return encodeTextLine(at, text, addLine);
      // Measured only where nothing would fit otherwise: that reads the whole text once more.
      const most = headLength + 3 * text.length;
      const room = most <= queue.room() ? most : headLength + Buffer.byteLength(text);
      queue.pushWith(room, (place) => {
        const length = place.write(text, headLength);
        writeHead(place, { isQuoted: false, at, length });
        added += length;
        return headLength + length;
      });
    },
    take: () => {
      const lines = newest(queue.take().pieces.flatMap(linesIn), bytesMax);
      const dropped = lines.reduce((rest, { length }) => rest - length, added);
      added = 0;
      return { lines, dropped };
    },
  };
}

interface Head {
  readonly isQuoted: boolean;
  readonly at: number;
  readonly length: number;
}

function writeHead(place: Buffer, { isQuoted, at, length }: Head): void {
  place.writeUInt8(isQuoted ? 1 : 0, 0);
  place.writeDoubleLE(at, 1);
  place.writeUInt32LE(length, 9);
}

function linesIn(piece: Buffer): TailLine[] {
  const lines: TailLine[] = [];
  for (let from = 0; from < piece.length;) {
    const isQuoted = piece.readUInt8(from) === 1;
    const at = piece.readDoubleLE(from + 1);
    const length = piece.readUInt32LE(from + 9);
    const bytes = piece.subarray(from + headLength, from + headLength + length);
    from += headLength + length;
    lines.push({
      length,
      encode: (write) => (isQuoted ? write(bytes) : encodeTextLine(at, bytes.toString('utf8'), write)),
    });
  }
  return lines;
}

/** Quoting makes a text up to six times as long. */
function newest(lines: readonly TailLine[], bytesMax: number): readonly TailLine[] {
  let first = lines.length;
  for (let bytes = 0; first > 0; first -= 1) {
    lines[first - 1]?.encode((line) => (bytes += line.length));
    if (bytes > bytesMax && first < lines.length) break;
  }
  return lines.slice(first);
}
