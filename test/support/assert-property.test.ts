import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty, countReached } from './assert-property.ts';

/** Each run gets the next number; the generator's own values are of no interest. */
function counting(onRun: (run: number) => void) {
  let run = 0;
  return fc.property(fc.nat(), () => {
    run += 1;
    onRun(run);
  });
}

it('A property whose generators reach the interesting case too seldom fails, and names its seed', () => {
  const even = countReached('an even run', { floor: 0.6 });
  const property = counting((run) => {
    if (run % 2 === 0) even.mark();
  });
  expect(() => assertProperty(property, { reaches: [even], seed: 7 })).toThrow(
    'Only 50 of 100 runs reached "an even run" (floor 60 %, seed 7).',
  );
});

it('A property whose generators reach the interesting case often enough passes, and a run counts once', () => {
  const even = countReached('an even run', { floor: 0.5 });
  const property = counting((run) => {
    if (run % 2 !== 0) return;
    even.mark();
    even.mark();
  });
  expect(() => assertProperty(property, { reaches: [even], numRuns: 40 })).not.toThrow();
  expect(even.runs).toBe(20);
});

it('A run that does not meet the precondition of its property reaches no case', () => {
  const taken = countReached('a run that meets the precondition', { floor: 0.9 });
  const property = counting((run) => {
    fc.pre(run % 5 === 0);
    taken.mark();
  });
  expect(() => assertProperty(property, { reaches: [taken], numRuns: 20 })).toThrow('Only 20 of 100 runs');
});

it('A property that does not hold fails with its seed, whatever its generators reached', () => {
  const all = countReached('any run', { floor: 0 });
  const property = counting((run) => expect(run).toBeLessThan(5));
  expect(() => assertProperty(property, { reaches: [all], seed: 11 })).toThrow(/seed: 11/);
});

it('An asynchronous property must reach its floor too', async () => {
  const never = countReached('nothing', { floor: 0.1 });
  const property = fc.asyncProperty(fc.nat(), async () => {});
  await expect(assertProperty(property, { reaches: [never], seed: 3 })).rejects.toThrow(
    'Only 0 of 100 runs reached "nothing" (floor 10 %, seed 3).',
  );
});
