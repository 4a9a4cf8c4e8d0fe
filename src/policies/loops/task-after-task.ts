// The loop of a queue: each task is built and reviewed alone; a setting says what a failure means for the
// rest.
import type { Fact } from '#kernel/events/events.ts';
import type { Move, Policy, RunMove } from '#kernel/decide/policy.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { buildThenReview } from './build-then-review.ts';
import { withCutShort } from './builder-session.ts';
import { giveUp } from './moves.ts';
import { defaultQueue } from './queue-settings.ts';
import type { FailureTrace } from '#kernel/events/failure-trace.ts';
import { buildOf, isAttemptOver } from '#kernel/fold/work.ts';

export const taskAfterTask: Policy = {
  name: 'task-after-task',
  nextMove(run, task) {
    return tooManyCrashes(run, task) ?? noteCrash(task, buildThenReview.nextMove(run, task));
  },
  nextForRun(run) {
    return stopAtFailure(run);
  },
};

function stopAtFailure(run: Run): RunMove | null {
  if (settingsOf(run).onFailure !== 'stop') return null;
  for (const id of run.plan.broken) {
    const status = run.tasks.get(id)?.status;
    if (status?.is !== 'failed') continue;
    const reason = `task ${id} failed (queue.onFailure: stop): ${status.reason}`;
    return { kind: 'conclude', facts: [{ type: 'run-ended', outcome: status.as, reason }] };
  }
  return null;
}

const crashMark = 'crashed: ';

/** Gives every failed attempt a trace, so that crashes in a row can be counted. */
function noteCrash(task: TaskState, move: Move): Move {
  if (move.kind !== 'conclude') return move;
  return { kind: 'conclude', facts: move.facts.map((fact) => traced(task, fact)) };
}

function traced(task: TaskState, fact: Fact): Fact {
  if (fact.type !== 'attempt-failed') return fact;
  const build = buildOf(task);
  const tree = build?.endTree ?? null;
  const plain = {
    kind: 'logic',
    signature: fact.reason.slice(0, 200),
    tree,
    passing: [],
    hand: 'same-agent',
  } as const;
  const trace: FailureTrace = fact.trace ?? plain;
  const { ending } = build ?? {};
  const reason = withCutShort(task, fact.reason);
  if (ending?.kind !== 'crashed') return { ...fact, reason, trace };
  return {
    ...fact,
    reason,
    trace: { ...trace, signature: `${crashMark}${ending.detail}`.slice(0, 200) },
  };
}

function tooManyCrashes(run: Run, task: TaskState): Move | null {
  if (!isAttemptOver(task)) return null;
  const { crashRetries } = settingsOf(run);
  const others = task.failures.trail.findLastIndex(({ signature }) => !signature.startsWith(crashMark));
  const crashes = task.failures.trail.length - others - 1;
  if (crashes <= crashRetries || task.failures.trail.length === 0) return null;
  const last = task.failures.last === null ? '' : `; the last time ${task.failures.last.reason}`;
  return giveUp(task, 'failed', `${crashes} sessions in a row crashed${last}`);
}

function settingsOf(run: Run) {
  return run.config.policy.queue ?? defaultQueue;
}
