// Moves and reasons that all loops share.
import type { Fact } from '#kernel/events/events.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import { describeSessionEnding } from '#kernel/model/ending.ts';
import { awaitPerson, awaitPersonNow } from '#kernel/proof/left-to-person.ts';
import type { Move } from '#kernel/decide/policy.ts';
import { gapsInProof } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import { nextAttemptBy } from '#policies/fallbacks/next-attempt-by.ts';
import { traceOf } from '#policies/fallbacks/stuck.ts';

/** The reason if no retry can help: a missing client, a bad login, an unknown model. Else null. */
export function hopelessReason(ending: SessionEnding): string | null {
  if (ending.kind === 'not-started') return describeSessionEnding(ending);
  if (ending.kind !== 'failed') return null;
  const isHopeless = ['authentication', 'invalid-request', 'unknown-model'].includes(ending.errorClass);
  return isHopeless ? describeSessionEnding(ending) : null;
}

export function failAttempt(run: Run, task: TaskState, reason: string): Move {
  const trace = traceOf(run, task, reason);
  const next = nextAttemptBy(run, task, trace.kind);
  return {
    kind: 'conclude',
    facts: [
      {
        type: 'attempt-failed',
        taskId: task.spec.id,
        attempt: task.attempt,
        reason,
        trace: { ...trace, hand: next },
      },
    ],
  };
}

export function conclude(facts: readonly Fact[]): Move {
  return { kind: 'conclude', facts };
}

export function giveUp(task: TaskState, outcome: 'failed' | 'exhausted' | 'blocked', reason: string): Move {
  return conclude([{ type: 'task-failed', taskId: task.spec.id, outcome, reason }]);
}

export function attemptsUsed(attempts: number): string {
  return attempts === 1 ? 'the only attempt was used' : `all ${attempts} attempts were used`;
}

/** No further attempt is useful or allowed: ask a person if only a person is missing, else give up. */
export function exhaust(
  run: Run,
  task: TaskState,
  limit: string,
  { last = '', outcome = 'exhausted' }: { last?: string; outcome?: 'exhausted' | 'failed' } = {},
): Move {
  const awaited = awaitPerson(run, task, limit);
  return awaited === null ? giveUp(task, outcome, `${limit}${last}`) : conclude([awaited]);
}

/** Before another session is paid for: a person's verdict may be all that is missing. */
export function askInstead(run: Run, task: TaskState): Move | null {
  const asked = awaitPersonNow(run, task);
  return asked === null ? null : conclude([asked]);
}

/** A flaky check passes only if a person says so; by now everything else is settled. */
export function personNext(run: Run, task: TaskState, tree: string): Move | null {
  const gap = gapsInProof(run, task, tree).find(({ awaits }) => awaits === 'person');
  return gap === undefined
    ? null
    : { kind: 'park', why: `a person's verdict on ${gap.criterionId ?? 'the work'}: ${gap.why}` };
}

/** Runs our own checks on the files that a session left. */
export function startCheck(task: TaskState, tree: string, chosen: readonly Criterion[]): Move {
  const criteria = chosen.map(({ id }) => ({ taskId: task.spec.id, criterionId: id }));
  const operation: CheckOperation = {
    kind: 'check',
    purpose: 'attempt',
    place: 'workspace',
    when: 'attempt',
    criteria,
  };
  return { kind: 'start', deed: operation, baseTree: tree };
}
