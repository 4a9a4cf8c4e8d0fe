export interface Tail {
  add(chunk: Buffer): void;
  text(): string;
}

/** The last bytes of an output, cut at a character, however long it was. */
export function tailOf(bytesMax: number): Tail {
  let kept = Buffer.alloc(0);
  return {
    add(chunk) {
      const joined = chunk.length >= bytesMax ? chunk : Buffer.concat([kept, chunk]);
      kept = Buffer.from(joined.subarray(Math.max(0, joined.length - bytesMax)));
    },
    text() {
      let start = 0;
      while (start < kept.length && ((kept[start] ?? 0) & 0xc0) === 0x80) start += 1;
      return kept.subarray(start).toString('utf8');
    },
  };
}
