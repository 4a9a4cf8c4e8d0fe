// Runs a property and counts how often its generators reach the cases that it is about: a property that never meets an
// interesting case holds for any code.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';

export interface ReachedCase {
  readonly name: string;
  /** The least share of the runs that must reach the case, from 0 to 1. */
  readonly floor: number;
  /** How many runs reached it so far. */
  readonly runs: number;
  /** Called by the property when a run reaches the case; a second call in the same run counts nothing. */
  mark(): void;
  /** Called by `assertProperty` before each run. */
  beginRun(): void;
}

export function countReached(name: string, { floor }: { readonly floor: number }): ReachedCase {
  let runs = 0;
  let isMarked = false;
  return {
    name,
    floor,
    get runs() {
      return runs;
    },
    mark() {
      if (!isMarked) runs += 1;
      isMarked = true;
    },
    beginRun() {
      isMarked = false;
    },
  };
}

export interface PropertyOptions {
  readonly reaches: readonly [ReachedCase, ...ReachedCase[]];
  readonly numRuns?: number;
  /** Repeats the runs of an earlier failure. */
  readonly seed?: number;
}

/**
 * Contract: fails when the property does, and when fewer runs than its floor asks for reached a case. Each failure and each
 * success prints the number that repeats its runs.
 */
export function assertProperty<T>(
  property: fc.IAsyncPropertyWithHooks<T>,
  options: PropertyOptions,
): Promise<void>;
export function assertProperty<T>(property: fc.IPropertyWithHooks<T>, options: PropertyOptions): void;
export function assertProperty<T>(
  property: fc.IAsyncPropertyWithHooks<T> | fc.IPropertyWithHooks<T>,
  { reaches, numRuns = 100, seed = randomInt(2 ** 31) }: PropertyOptions,
): Promise<void> | void {
  let started = 0;
  const beginRun = (): void => {
    started += 1;
    for (const one of reaches) one.beginRun();
  };
  const settle = (): void => settleReached(reaches, started, seed);
  const asserted = fc.assert(property.beforeEach(beginRun), { numRuns, seed }) as Promise<void> | undefined;
  if (asserted !== undefined) return asserted.then(settle);
  settle();
}

function settleReached(reaches: readonly ReachedCase[], started: number, seed: number): void {
  const missed: string[] = [];
  for (const { name, floor, runs } of reaches) {
    const line = `${runs} of ${started} runs reached "${name}" (floor ${percent(floor)}, seed ${seed})`;
    process.stdout.write(`property: ${line}\n`);
    if (runs < floor * started) missed.push(`Only ${line}.`);
  }
  if (missed.length > 0) throw new Error(missed.join('\n'));
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
