// Transient errors: wait, then retry the same session. This counts no attempt, because no agent failed.
import { durationWords } from '#base/duration-words.ts';
import { isSameAgent } from '#kernel/waiting/usage-limit.ts';
import type { Move } from '#kernel/decide/policy.ts';
import { wallNow } from '#kernel/waiting/pass-time.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { freeBuilder } from './agent-for.ts';
import { giveUp } from '#policies/loops/moves.ts';
import type { TransientError } from '#kernel/waiting/transient-error.ts';

/** Seconds between retries of an overloaded or unreachable provider; the last one repeats. */
const backOffSeconds = [5, 15, 60, 180, 600];
/** Minutes between retries of a usage limit whose reset time is unknown; the last one repeats. */
const unknownLimitMinutes = [15, 30, 60];
/** Runs restart spread over this time after a reset, so that they do not all ask at once. */
const afterResetMsMax = 10_000;
/** Covers the difference between the provider's clock and ours. */
const afterResetMsMin = 1_000;

export type Recovery =
  | Extract<Move, { readonly kind: 'wait' }>
  /** Recorded as a fact, so that the time until then does not count as work. */
  | { readonly kind: 'limited'; readonly until: number; readonly reason: string }
  /** Longer than a run may wait: a person decides when it resumes. */
  | { readonly kind: 'park'; readonly until: number; readonly why: string }
  | { readonly kind: 'hopeless'; readonly reason: string };

/** The wait of a task after a transient error; null when its session may start again. */
export function recover(run: Run, task: TaskState, error: TransientError): Move | null {
  const rest = recovery(run, error);
  switch (rest?.kind) {
    case undefined:
      return null;
    case 'hopeless':
      return giveUp(task, 'failed', rest.reason);
    case 'wait':
      return canTakeOver(error) && freeBuilder(run, task) !== null ? null : rest;
    case 'park':
      return takeOver(run, task, error, rest.until) ?? { kind: 'park', why: rest.why };
    case 'limited':
      return takeOver(run, task, error, rest.until) ?? waitUntil(run, task, error, rest.until);
  }
}

function canTakeOver({ role, errorClass }: TransientError): boolean {
  return role === 'builder' && errorClass === 'usage-limit';
}

/** Another builder of the task works while this one is limited. No failure, so the fallback index stays. */
function takeOver(run: Run, task: TaskState, error: TransientError, until: number): Move | null {
  const { agent, detail: reason } = error;
  if (!canTakeOver(error) || agent === undefined) return null;
  const takenOverBy = freeBuilder(run, task, agent);
  if (takenOverBy === null) return null;
  const limited = { ...agent, until };
  return {
    kind: 'conclude',
    facts: [{ type: 'usage-limited', taskId: task.spec.id, until, reason, limited, takenOverBy }],
  };
}

/** If every builder is limited, the earliest reset ends the wait. */
function waitUntil(run: Run, task: TaskState, error: TransientError, until: number): Move {
  const { agent, detail: reason } = error;
  const { id: taskId } = task.spec;
  if (!canTakeOver(error) || agent === undefined || run.config.policy.routing?.onUsageLimit === 'wait')
    return { kind: 'conclude', facts: [{ type: 'usage-limited', taskId, until, reason }] };
  const others = task.provider.limits.filter((one) => one.until > wallNow(run) && !isSameAgent(one, agent));
  const first = Math.min(until, ...others.map((one) => one.until));
  const limited = { ...agent, until };
  return { kind: 'conclude', facts: [{ type: 'usage-limited', taskId, until: first, reason, limited }] };
}

export function recovery(run: Run, error: TransientError): Recovery | null {
  // A person asked to continue without waiting.
  if (error.count === 0) return null;
  if (error.errorClass === 'usage-limit') return waitForLimit(run, error);
  if (error.count > run.config.policy.setbacksMax)
    return { kind: 'hopeless', reason: `${error.count} sessions in a row failed: ${error.detail}` };
  const until = error.at + backOffMs(run, error);
  return run.now < until ? { kind: 'wait', until, why: error.detail } : null;
}

function waitForLimit(run: Run, error: TransientError): Recovery | null {
  if (error.until !== null) {
    if (error.isReached === true) return null;
    return { kind: 'wait', until: error.until, why: error.detail, isWall: true };
  }
  const { limitWaitMsMax } = run.config.policy;
  const until = endOfLimit(run, error);
  if (until - (error.since ?? wallAt(error)) > limitWaitMsMax) {
    const longest = `the longest wait (usageLimit.maxWait, ${durationWords(limitWaitMsMax)})`;
    const why = `a usage limit until ${new Date(until).toISOString()}, which is later than ${longest}: ${error.detail}`;
    return { kind: 'park', until, why };
  }
  return { kind: 'limited', until, reason: error.detail };
}

/** In wall clock time, because providers report resets in it. */
function endOfLimit(run: Run, error: TransientError): number {
  const { resetAt, count } = error;
  const at = wallAt(error);
  if (resetAt === null) return at + pick(unknownLimitMinutes, count) * 60_000;
  // The provider says that the limit has ended but still refuses: retrying at once would never end.
  if (resetAt <= at) return at + backOffMs(run, error);
  return resetAt + afterResetMsMin + (numberOf(run.id) % (afterResetMsMax - afterResetMsMin + 1));
}

/** Varies by up to a fifth, so that runs that failed together do not retry together. */
function backOffMs({ id }: Run, { count }: TransientError): number {
  const share = 0.8 + (numberOf(`${id} ${count}`) % 401) / 1000;
  return Math.round(pick(backOffSeconds, count) * 1000 * share);
}

function wallAt({ at, wallAt: wall = at }: TransientError): number {
  return wall;
}

/** Deterministic for a text, and spread evenly over different texts (FNV-1a). */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

function pick(row: readonly number[], count: number): number {
  return row[Math.min(count, row.length) - 1] ?? 0;
}
