// The test for one share of the simulated runs: one file each, so that vitest runs them in parallel.
import { expect, it } from 'vitest';
import { missingWaits } from './waiting/counts.ts';
import { describeLives, howToReplay, liveMany, livesWanted, seedsOfShare } from './live-many.ts';

const isSingle = process.env['UNTILDONE_SEED'] !== undefined;

export function testShare(share: number): void {
  it(
    'Runs survive crashes, false reports, slow clocks, second drivers, new plans, actions, days of waiting and requests at any moment [A5] [A7] [A8] [Q4] [Q5] [C6] [C7] [X1] [X3] [X7] [B13] [U1] [U2] [U3] [U4] [U5]',
    { timeout: Math.max(600_000, livesWanted() * 40) },
    async () => {
      const trace = (text: string): void => void process.stdout.write(`${text}\n`);
      const lives = await liveMany(seedsOfShare(share), isSingle ? { trace } : {});
      if (lives.lives > 0) process.stdout.write(describeLives(lives));
      expect(lives.bad === null ? null : howToReplay(lives.bad)).toBeNull();
      expect(missingWaits(lives)).toEqual([]);
    },
  );
}
