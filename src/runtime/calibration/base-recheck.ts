// Repeats a check that was red on the base. If it passes there now, it was red by chance and proves nothing.
import { describeCheck } from '#kernel/model/check.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { openBench, type Subject, type Trial } from './bench.ts';
import { tooSlow } from './limits.ts';

export interface BaseRecheck {
  readonly calibration: Calibration;
  /** The output and reads of the check on the base; null if it did not run there. */
  readonly trial: Trial | null;
}

export async function recheckBase(subject: Subject, base: Evidence): Promise<BaseRecheck> {
  const bench = openBench(subject, 'base-recheck');
  const command = describeCheck(subject.criterion.check);
  const slow = tooSlow(command, base.durationMs);
  if (slow !== null) return { calibration: bench.conclude('none', slow), trial: null };
  const trial = await bench.run(base.tree);
  if (trial === null)
    return { calibration: bench.conclude('none', 'The base could not be checked out again.'), trial };
  const calibration =
    trial.verdict === 'pass'
      ? bench.conclude('refused', `\`${command}\` passes on the unchanged base now: it was red by chance.`)
      : bench.conclude('passed', `\`${command}\` fails on the unchanged base again.`);
  return { calibration, trial };
}
