/** The known word nearest to a mistyped one; null if none is within `distanceMax` changes. */
export function suggest(
  word: string,
  known: Iterable<string>,
  distanceMax: number = Math.max(2, Math.floor(word.length / 3)),
): string | null {
  let best: string | null = null;
  let bestDistance = distanceMax + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

export function didYouMean(word: string, known: Iterable<string>): string | null {
  const near = suggest(word, known);
  return near === null ? null : `Did you mean "${near}"?`;
}

/** Two swapped letters count as one change. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1));
    }
    [before, row] = [row, next];
  }
  return at(row, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
