/** The newest pieces of something long, in order. Contract: holds the last one whatever its size. */
export interface TailQueue {
  push(piece: Buffer): void;
  /** What is held, and how many bytes were dropped before it; the queue is empty afterwards. */
  take(): { readonly pieces: readonly Buffer[]; readonly dropped: number };
}

export function createTailQueue(bytesMax: number): TailQueue {
  let pieces: Buffer[] = [];
  let first = 0;
  let bytes = 0;
  let dropped = 0;
  return {
    push(piece) {
      pieces.push(piece);
      bytes += piece.length;
      for (; bytes > bytesMax && first < pieces.length - 1; first += 1) {
        const { length } = pieces[first] ?? { length: 0 };
        bytes -= length;
        dropped += length;
      }
      // Now and then, so that each piece is moved once at most.
      if (first > 1024 && first > pieces.length / 2) [pieces, first] = [pieces.slice(first), 0];
    },
    take() {
      const taken = { pieces: pieces.slice(first), dropped };
      [pieces, first, bytes, dropped] = [[], 0, 0, 0];
      return taken;
    },
  };
}
