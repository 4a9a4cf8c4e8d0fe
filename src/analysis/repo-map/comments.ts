// What a file says about itself outside of its functions: words to find it by, within bounds.

export interface Comments {
  /** Contract: looks at the beginning only, however long it is. */
  hear(text: string, start: number, end: number): void;
  text(): string;
}

/** The beginning of a comment says what it is about. */
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
