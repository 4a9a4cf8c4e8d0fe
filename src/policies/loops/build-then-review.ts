// The loop of one task: build, check, review, retry with the failures. Our checks decide; an agent's words
// only end its session. A policy is pure: it reads the run and returns one move. A move starts a step,
// records facts (`conclude`), waits, parks until a person acts, or claims that a tree is proven (`prove`).
import { isAtAttempt, isByMachine, isCheckedAtAttempt } from '#kernel/model/criterion.ts';
import { describeSessionEnding } from '#kernel/model/ending.ts';
import type { Move, Policy } from '#kernel/decide/policy.ts';
import { gapsInProof, isRequired } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { stuckReason } from '#kernel/decide/stuck.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import {
  afterQuestion,
  afterTransientError,
  startBuilder,
  unreadable,
  whatBuildLeft,
  withCutShort,
} from './builder-session.ts';
import { askInstead, attemptsUsed, exhaust, failAttempt, personNext, startCheck } from './moves.ts';
import { reviewNext } from './review.ts';
import { isDecidedByOthers } from './open-criteria.ts';

export const buildThenReview: Policy = {
  name: 'build-then-review',
  nextMove(run, task) {
    switch (task.work.kind) {
      // No attempt is under way: none was made yet, or the last one is decided.
      case 'idle':
      case 'over':
        return nextAttempt(run, task);
      // Its session was lost in a crash and starts again.
      case 'building':
        return startBuilder(run, task, task.attempt);
      case 'built':
        return afterBuild(run, task, task.work.build);
    }
  },
};

function nextAttempt(run: Run, task: TaskState): Move {
  const { cooldownMs } = run.config.policy;
  const { attemptsPerTask } = run.budget;
  // Before another session is paid for: a person's verdict may be all that is missing.
  const asked = askInstead(run, task);
  if (asked !== null) return asked;
  // A person's retry forgives the attempts before it.
  const used = task.attempt - task.forgiven;
  const last = task.failures.last === null ? '' : `; the last one: ${task.failures.last.reason}`;
  if (used >= attemptsPerTask) return exhaust(run, task, attemptsUsed(attemptsPerTask), { last });
  const stuck = stuckReason(run, task);
  // The stuck reason may already begin with the last failure; then it is not repeated.
  const isRepeated = stuck?.startsWith(task.failures.last?.reason ?? '') === true;
  if (stuck !== null)
    return exhaust(run, task, `stuck: ${stuck}`, { last: isRepeated ? '' : last, outcome: 'failed' });
  const coolAt = task.failures.last === null ? 0 : task.failures.last.at + cooldownMs;
  if (run.now < coolAt) return { kind: 'wait', until: coolAt, why: 'cooling down' };
  return startBuilder(run, task, task.attempt + 1);
}

function afterBuild(run: Run, task: TaskState, build: SessionResult): Move {
  const asked = afterQuestion(run, task, build);
  if (asked !== null) return asked;
  const left = whatBuildLeft(task, build);
  if (left === 'again') return startBuilder(run, task, task.attempt);
  if (left === 'unreadable') return tryAgain(run, task, unreadable);
  if ('move' in left) return left.move;
  // `isIdle`: a transient error ended the session before it changed anything, so there is nothing to check.
  const { tree, isIdle } = left;
  if ((task.inspection.checked?.tree !== tree || hasUnseen(task, tree)) && !isIdle)
    return startCheck(task, tree, task.spec.criteria.filter(isCheckedAtAttempt));
  const problem = whatIsWrong(run, task, build, tree);
  if (problem !== null) return tryAgain(run, task, problem);
  return reviewNext(run, task, tree) ?? personNext(run, task, tree) ?? { kind: 'prove', tree };
}

/** After a transient error of the provider the same attempt continues: the attempt is not to blame. */
function tryAgain(run: Run, task: TaskState, problem: string): Move {
  return afterTransientError(run, task) ?? failAttempt(run, task, withCutShort(task, problem));
}

/** Why this tree is not worth a review; null when it is. Reviewers and people have not decided yet. */
function whatIsWrong(run: Run, task: TaskState, build: SessionResult, tree: string): string | null {
  const failed = gapsInProof(run, task, tree).filter(
    (gap) => gap.awaits === undefined && !isDecidedByOthers(task, gap.criterionId),
  );
  if (failed.length > 0) {
    return failed
      .map((gap) => (gap.criterionId === null ? gap.why : `${gap.criterionId}: ${gap.why}`))
      .join('; ');
  }
  // A task that landed and was reopened may be right as it is, for example after a flaky check.
  const isNew = task.commit === null && !run.config.policy.mayLeaveTreeUnchanged;
  if (isNew && tree === task.base?.tree) return 'the agent changed nothing';
  if (hasRequiredCheck(run, task) || build.signal?.kind === 'done') return null;
  return `there is no check, and the builder did not say that it is done (it ${describeSessionEnding(build.ending)})`;
}

/** Whether a criterion was added while the others were checked. */
function hasUnseen(task: TaskState, tree: string): boolean {
  if (task.changes.length === 0) return false;
  return task.spec.criteria
    .filter(isCheckedAtAttempt)
    .some(({ id }) => task.evidence.get(id)?.attempt?.tree !== tree);
}

function hasRequiredCheck(run: Run, task: TaskState): boolean {
  return task.spec.criteria.some(
    (criterion) => isByMachine(criterion) && isAtAttempt(criterion) && isRequired(run, task, criterion),
  );
}
