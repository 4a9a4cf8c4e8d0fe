// The beginning and the end of what a check prints: names of tests stand anywhere, and sums at the end.

const partMax = 4 * 1024 * 1024;

export interface BoundedOutput {
  readonly add: (text: string) => void;
  text(): string;
}

export function boundedOutput(): BoundedOutput {
  const head: string[] = [];
  let room = partMax;
  let tail = '';
  return {
    add(text) {
      const first = text.slice(0, room);
      if (first !== '') head.push(first);
      room -= first.length;
      tail += text.slice(first.length);
      // Cut rarely: each cut copies the whole of it.
      if (tail.length > 2 * partMax) tail = tail.slice(-partMax);
    },
    text: () => head.join('') + tail.slice(-partMax),
  };
}
