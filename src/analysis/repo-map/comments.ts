// Collects the comments of a file outside of its functions: bounded words for the search.

export interface Comments {
  /** Contract: reads only the beginning, no matter how long the text is. */
  hear(text: string, start: number, end: number): void;
  text(): string;
}

/** The beginning of a comment names its subject. */
const oneMax = 240;
const allMax = 2_000;
const licence = /copyright|licen[sc]e|SPDX/i;

export function createComments(): Comments {
  const sentences: string[] = [];
  let chars = 0;
  return {
    hear(text, start, end) {
      if (chars > allMax) return;
      const comment = text.slice(start, Math.min(end, start + oneMax));
      if (licence.test(comment)) return;
      sentences.push(comment);
      chars += comment.length;
    },
    text: () => sentences.join(' '),
  };
}
