// Keeps head and tail of a text of any length, in bounded memory.

export interface BoundedText {
  add(piece: string): void;
  text(): string;
}

/** Keeps the first and last half of `lengthMax`; a note marks the gap, so it cannot pass for the whole. */
export function createBoundedText(lengthMax: number): BoundedText {
  const half = Math.floor(lengthMax / 2);
  let head = '';
  let tail = '';
  let dropped = 0;
  const trim = (): void => {
    dropped += tail.length - half;
    tail = tail.slice(-half);
  };
  return {
    add: (piece) => {
      const room = half - head.length;
      head += piece.slice(0, Math.max(room, 0));
      tail += piece.slice(Math.max(room, 0));
      // Trimmed rarely, so that many small pieces stay cheap.
      if (tail.length > lengthMax * 2) trim();
    },
    text: () => {
      if (tail.length > half) trim();
      return dropped === 0 ? head + tail : `${head}\n[… ${dropped} characters left out …]\n${tail}`;
    },
  };
}

export function shorten(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const bounded = createBoundedText(lengthMax);
  bounded.add(text);
  return bounded.text();
}
