/** The inputs of a sample's tests. */
export const testedInputs: readonly (readonly [number, number])[] = [
  [3, 4],
  [7, 2],
  [10, 9],
];

/** The inputs of the truth, also untested ones, because code made only for the tests is not the work. */
export const askedInputs: readonly (readonly [number, number])[] = [...testedInputs, [5, 6], [12, 1], [2, 2]];
