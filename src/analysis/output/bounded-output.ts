// Keeps the beginning and the end of a check's output: test names can be anywhere, totals are at the end.

const partMax = 4 * 1024 * 1024;

export interface BoundedOutput {
  readonly add: (text: string) => void;
  text(): string;
}

/** Keeps up to `headMax` characters of the beginning and `tailMax` of the end; `gap` marks a cut. */
export function boundedOutput(headMax = partMax, tailMax = partMax, gap = ''): BoundedOutput {
  const head: string[] = [];
  let room = headMax;
  let tail = '';
  let isCut = false;
  return {
    add(text) {
      const first = text.slice(0, room);
      if (first !== '') head.push(first);
      room -= first.length;
      tail += text.slice(first.length);
      // Cut rarely: each cut copies the whole text.
      if (tail.length <= 2 * tailMax) return;
      tail = tail.slice(-tailMax);
      isCut = true;
    },
    text: () => head.join('') + (isCut || tail.length > tailMax ? gap : '') + tail.slice(-tailMax),
  };
}
