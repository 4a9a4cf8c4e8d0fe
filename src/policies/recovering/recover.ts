// Trouble that passes by itself: wait, then the same session again. It counts no attempt, because nobody failed.
import type { Move } from '#kernel/policy.ts';
import type { Run, Setback, TaskState } from '#kernel/run.ts';
import { giveUp } from '#policies/looping/moves.ts';

/** Seconds between tries of an overloaded or unreachable provider; the last one repeats. */
const backOffSeconds = [5, 15, 60, 180, 600];
/** Minutes between looks at a usage limit whose end nobody told. */
const unknownLimitMinutes = [15, 30, 60];
/** Latest start after a reset, so that runs do not all ask at the same moment; a run that met the limit again waits longer. */
const afterResetMsMax = { first: 2_000, again: 10_000 };
/** Providers' clocks and ours differ. */
const afterResetMsMin = 1_000;

export type Recovery =
  | Extract<Move, { readonly kind: 'wait' | 'park' }>
  /** To be recorded, so that the time until then is not counted as work. */
  | { readonly kind: 'limited'; readonly until: number; readonly reason: string }
  | { readonly kind: 'hopeless'; readonly reason: string };

/** What stands between a task's set-back and its next try; null when it may start. */
export function recover(run: Run, task: TaskState, setback: Setback): Move | null {
  const rest = recovery(run, setback);
  if (rest?.kind === 'hopeless') return giveUp(task, 'failed', rest.reason);
  if (rest?.kind !== 'limited') return rest;
  const { until, reason } = rest;
  return { kind: 'conclude', facts: [{ type: 'usage-limited', taskId: task.spec.id, until, reason }] };
}

export function recovery(run: Run, setback: Setback): Recovery | null {
  if (setback.errorClass === 'usage-limit') return waitForLimit(run, setback);
  if (setback.count > run.config.policy.setbacksMax)
    return { kind: 'hopeless', reason: `${setback.count} sessions in a row failed: ${setback.detail}` };
  const until = setback.at + pick(backOffSeconds, setback.count) * 1000;
  return run.now < until ? { kind: 'wait', until, why: setback.detail } : null;
}

function waitForLimit(run: Run, setback: Setback): Recovery | null {
  if (setback.until !== null) {
    return run.now < setback.until ? { kind: 'wait', until: setback.until, why: setback.detail } : null;
  }
  const { limitWaitMsMax } = run.config.policy;
  const until = endOfLimit(run, setback);
  if (until - setback.at > limitWaitMsMax) {
    return { kind: 'park', why: `a usage limit that ends later than the longest wait: ${setback.detail}` };
  }
  return { kind: 'limited', until, reason: setback.detail };
}

function endOfLimit({ id }: Run, { at, resetAt, count }: Setback): number {
  if (resetAt === null) return at + pick(unknownLimitMinutes, count) * 60_000;
  // The provider calls the limit over, and it is not: retrying at once would never end.
  if (resetAt <= at) return at + pick(backOffSeconds, count) * 1000;
  const latestMs = count === 1 ? afterResetMsMax.first : afterResetMsMax.again;
  return resetAt + afterResetMsMin + (numberOf(id) % (latestMs - afterResetMsMin + 1));
}

/** The same for the same text, and spread evenly over different ones (FNV-1a). */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

function pick(row: readonly number[], count: number): number {
  return row[Math.min(count, row.length) - 1] ?? 0;
}
