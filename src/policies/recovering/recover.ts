// Trouble that passes by itself: wait, then the same session again. It counts no attempt, because nobody failed.
import type { Move } from '#kernel/policy.ts';
import type { Run, Setback, TaskState } from '#kernel/run.ts';
import { giveUp } from '#policies/looping/moves.ts';

/** Seconds between tries of an overloaded or unreachable provider; the last one repeats. */
const backOffSeconds = [5, 15, 60, 180, 600];
/** Minutes between looks at a usage limit whose end nobody told. */
const unknownLimitMinutes = [15, 30, 60];
/** Providers' clocks and ours differ. */
const resetMarginMs = 30_000;

/** What stands between a set-back and the next try; null when it may start. */
export function recover(run: Run, task: TaskState, setback: Setback): Move | null {
  if (setback.errorClass === 'usage-limit') return waitForLimit(run, task, setback);
  if (setback.count > run.config.policy.setbacksMax) {
    return giveUp(task, 'failed', `${setback.count} sessions in a row failed: ${setback.detail}`);
  }
  const until = setback.at + pick(backOffSeconds, setback.count) * 1000;
  return run.now < until ? { kind: 'wait', until, why: setback.detail } : null;
}

function waitForLimit(run: Run, task: TaskState, setback: Setback): Move | null {
  if (setback.until !== null) {
    return run.now < setback.until ? { kind: 'wait', until: setback.until, why: setback.detail } : null;
  }
  const { limitWaitMsMax } = run.config.policy;
  const until =
    setback.resetAt === null
      ? setback.at + pick(unknownLimitMinutes, setback.count) * 60_000
      : Math.max(setback.resetAt, setback.at) + resetMarginMs;
  if (until - setback.at > limitWaitMsMax) {
    return { kind: 'park', why: `a usage limit that ends later than the longest wait: ${setback.detail}` };
  }
  return {
    kind: 'conclude',
    facts: [{ type: 'usage-limited', taskId: task.spec.id, until, reason: setback.detail }],
  };
}

function pick(row: readonly number[], count: number): number {
  return row[Math.min(count, row.length) - 1] ?? 0;
}
