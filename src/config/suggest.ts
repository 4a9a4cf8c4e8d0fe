/** The known word that is nearest to a mistyped one; null when none is near. */
export function suggest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
