// Plays many simulated runs, one after the other, and sums up their results.
import { setImmediate } from 'node:timers/promises';
import type { Life, LifeOptions } from './live.ts';
import { howMany } from '../support/how-many.ts';
import { live } from './live.ts';

/** Test files that share the lives, so that every core has some. */
const shares = 4;

export interface Lives {
  readonly lives: number;
  readonly ends: { readonly [end: string]: number };
  readonly totals: { readonly [count: string]: number };
  /** The first life in which something happened that must never be. */
  readonly bad: Life | null;
}

export async function liveMany(seeds: Iterable<number>, options: LifeOptions = {}): Promise<Lives> {
  const ends: { [end: string]: number } = {};
  const totals: { [count: string]: number } = {};
  let lives = 0;
  for (const seed of seeds) {
    const life = await live(seed, options);
    lives += 1;
    ends[life.end] = (ends[life.end] ?? 0) + 1;
    const { waiting, ...counts } = life.counts;
    for (const [name, count] of Object.entries({ ...counts, ...waiting }))
      totals[name] = (totals[name] ?? 0) + count;
    if (life.violation !== null) return { lives, ends, totals, bad: life };
    // Lives are made of promises alone; timers and messages of the test runner want their turn as well.
    if (lives % 20 === 0) await setImmediate();
  }
  return { lives, ends, totals, bad: null };
}

/** The lives of one test file; `UNTILDONE_LIVES` asks for more of them, `UNTILDONE_SEED` for a single one. */
export function* seedsOfShare(share: number): Generator<number> {
  const single = process.env['UNTILDONE_SEED'];
  if (single !== undefined) {
    if (share === 0) yield Number(single);
    return;
  }
  for (let seed = 1 + share; seed <= livesWanted(); seed += shares) yield seed;
}

/** Twice as many as it takes to notice every planted fault (`teeth.ts`). */
export const livesUsual = 4_000;

export function livesWanted(): number {
  return Number(process.env['UNTILDONE_LIVES'] ?? howMany({ usual: livesUsual, long: 17_000 }));
}

/** What a person needs to see one life again, step by step. */
export function howToReplay({ seed, violation }: Life): string {
  return `life ${seed}: ${violation}\nSee it happen: UNTILDONE_SEED=${seed} npm test -- test/simulation/lives`;
}

export function describeLives({ lives, ends, totals }: Lives): string {
  const list = (counts: { readonly [name: string]: number }): string =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  return `${lives} lives: ${list(ends)}\n  with ${list(totals)}\n`;
}
