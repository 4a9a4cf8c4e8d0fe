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
  const said: string[] = [];
  let chars = 0;
  return {
    hear(text, start, end) {
      if (chars > allMax) return;
      const heard = text.slice(start, Math.min(end, start + oneMax));
      if (licence.test(heard)) return;
      said.push(heard);
      chars += heard.length;
    },
    text: () => said.join(' '),
  };
}
