// Keeps the newest pieces of a long stream in buffers that are reused, so that a flood makes no garbage.
export interface TailQueue {
  /** Copies the piece. Pieces are dropped whole; the last one is kept whatever its size. */
  push(piece: Buffer): void;
  /** Returns the kept pieces and the number of bytes dropped before them, and empties the queue. */
  take(): { readonly pieces: readonly Buffer[]; readonly dropped: number };
}

interface Half {
  bytes: Buffer;
  length: number;
}

/** Once full, holds between half of `bytesMax` and all of it. */
export function createTailQueue(bytesMax: number): TailQueue {
  const size = Math.ceil(bytesMax / 2);
  const empty = (): Half => ({ bytes: Buffer.alloc(0), length: 0 });
  let [older, newer] = [empty(), empty()];
  let dropped = 0;
  const turn = (room: number): void => {
    dropped += older.length;
    [older, newer] = [newer, older];
    newer.length = 0;
    if (newer.bytes.length < room) newer.bytes = Buffer.allocUnsafe(room);
  };
  return {
    push(piece) {
      if (newer.length + piece.length > newer.bytes.length) turn(Math.max(size, piece.length));
      newer.length += piece.copy(newer.bytes, newer.length);
    },
    take() {
      const pieces = [older, newer].map(({ bytes, length }) => bytes.subarray(0, length));
      const taken = { pieces: pieces.filter(({ length }) => length > 0), dropped };
      [older, newer, dropped] = [empty(), empty(), 0];
      return taken;
    },
  };
}
