/** What the tests of a sample ask. */
export const testedInputs: readonly (readonly [number, number])[] = [
  [3, 4],
  [7, 2],
  [10, 9],
];

/** What the truth asks: also what no test names, for work that was made for the tests alone is none. */
export const askedInputs: readonly (readonly [number, number])[] = [...testedInputs, [5, 6], [12, 1], [2, 2]];
