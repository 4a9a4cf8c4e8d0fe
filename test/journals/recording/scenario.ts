import { expect } from 'vitest';
import type { Place } from '../../e2e/place.ts';

/** Lives one run to where it is to be kept; the newest run of the place is the one. */
export type Scenario = () => Promise<Place>;

/** A step that went another way than meant would be kept as if it were the scenario. */
export async function does(place: Place, args: readonly string[], wanted: number): Promise<void> {
  const { code, stdout, stderr } = await place.untildone(args);
  expect([args[0], code, code === wanted ? '' : `${stdout}\n${stderr}`]).toEqual([args[0], wanted, '']);
}
