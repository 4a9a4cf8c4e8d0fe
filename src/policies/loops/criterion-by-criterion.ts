// The loop over criteria: implement one, check, take the next; repeat until all of them pass on one tree.
import { isExitBlocked, isPersonAskedInstead, wholeTask } from '#kernel/fold/loop.ts';
import { failureWords } from '#kernel/model/shown-output.ts';
import type { Move, Policy } from '#kernel/decide/policy.ts';
import { gapsInProof } from '#kernel/proof/proof.ts';
import { canCheckpoint } from '#kernel/proof/checkpoint.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import {
  afterQuestion,
  afterTransientError,
  startBuilder,
  unreadable,
  whatBuildLeft,
} from './builder-session.ts';
import { failCriterion, judgeSession } from './judge-criterion.ts';
import { loopsOf } from './loop-settings.ts';
import { askInstead, attemptsUsed, exhaust, giveUp, personNext, startCheck } from './moves.ts';
import {
  isDecidedByOthers,
  cheapCriteria,
  isDecidedAtOnce,
  isPlain,
  openCriteria,
  pickCriterion,
  uncheckedCriteria,
} from './open-criteria.ts';
import { reviewNext } from './review.ts';

export const criterionByCriterion: Policy = {
  name: 'criterion-by-criterion',
  nextMove(run, task) {
    switch (task.work.kind) {
      case 'idle':
      case 'over':
        return between(run, task);
      case 'building':
        return startBuilder(run, task, task.attempt, focusOf(task));
      case 'built':
        return afterBuild(run, task, task.work.build);
    }
  },
};

function between(run: Run, task: TaskState): Move {
  const start = task.attempt === 0 ? beforeTheFirst(run, task) : null;
  const asked = start ?? (task.attempt === 0 ? null : askInstead(run, task));
  if (asked !== null) return asked;
  const open = openCriteria(run, task);
  if (!loopsOf(run).enabled && task.attempt > task.forgiven && open.length > 0)
    return oneTryIsOver(task, open);
  if (open.length > 0 && task.attempt > 0) {
    const rest = checkpointDue(run, task) ?? pauseDue(run, task, open);
    if (rest !== null) return rest;
  }
  const isUntouched = task.attempt === task.forgiven || (task.failures.last !== null && open.length === 0);
  if (open.length === 0 && !isUntouched) return finish(run, task);
  return workNext(run, task, open);
}

/** Before any work: fails criteria without a possible check; passes green ones that ask for no work. */
function beforeTheFirst(run: Run, task: TaskState): Move | null {
  if (!isPersonAskedInstead(loopsOf(run))) {
    const none = openCriteria(run, task).filter(({ origin }) => origin?.check === 'none');
    if (none.length > 0) {
      const ids = none.map(({ id }) => id).join(', ');
      const why = `no check could be found for ${ids}, and no person is asked (loops.fallbackToManual is off)`;
      return giveUp(task, 'failed', why);
    }
  }
  const facts = openCriteria(run, task).flatMap((criterion): Fact[] => {
    const latest = task.evidence.get(criterion.id)?.base;
    if (latest?.verdict !== 'pass' || !isPlain(criterion) || !isDecidedAtOnce(run, criterion)) return [];
    return [{ type: 'criterion-passed', taskId: task.spec.id, criterionId: criterion.id, tree: latest.tree }];
  });
  return facts.length === 0 ? null : { kind: 'conclude', facts };
}

function oneTryIsOver(task: TaskState, open: readonly Criterion[]): Move {
  const ids = open.map(({ id }) => id).join(', ');
  const last = task.failures.last === null ? '' : `: ${task.failures.last.reason}`;
  return giveUp(task, 'failed', `loops are off, and one try left ${ids} open${last}`);
}

function checkpointDue(run: Run, task: TaskState): Move | null {
  const { loop, workTree: tree } = task;
  if (loop.sinceCheckpoint < loopsOf(run).commitEvery || tree === null) return null;
  if (!canCheckpoint(run, task, tree)) return null;
  const passed = [...loop.passed.keys()].filter((id) => {
    const latest = task.evidence.get(id)?.attempt;
    return latest?.tree === tree && latest.verdict === 'pass';
  });
  return passed.length === 0 ? null : { kind: 'checkpoint', tree, passed };
}

function pauseDue(run: Run, task: TaskState, open: readonly Criterion[]): Move | null {
  if (!task.loop.isPauseDue) return null;
  const next = pickCriterion(run, task, open);
  const then = next.kind === 'work' ? next.criterion.id : (open[0]?.id ?? '');
  const why = `${task.loop.focus ?? ''} is done, and ${then} is next (loops.pauseBetweenScenarios)`;
  return { kind: 'conclude', facts: [{ type: 'run-parked', taskId: task.spec.id, why }] };
}

function workNext(run: Run, task: TaskState, open: readonly Criterion[]): Move {
  const { maxIterations, maxRetries, enabled } = loopsOf(run);
  const { iteration, failures } = task.loop;
  const { attemptsPerTask } = run.budget;
  if (task.attempt - task.forgiven >= attemptsPerTask)
    return exhaust(run, task, attemptsUsed(attemptsPerTask), { last: lastOne(task) });
  const next = pickCriterion(run, task, open);
  const whole = failures.get(wholeTask);
  if (open.length === 0 && whole !== undefined && whole.count >= maxRetries)
    return exhaust(
      run,
      task,
      `the whole failed ${whole.count} times; the last reason: ${whole.reason}${wordsOf(task)}`,
    );
  if (open.length > 0 && next.kind === 'spent') {
    const why = next.criteria
      .map(
        ({ id }) =>
          `${id} failed ${failures.get(id)?.count ?? 0} times; the last reason: ${lastFailure(task, id)}`,
      )
      .join('; ');
    return exhaust(run, task, why);
  }
  if (iteration === 0 || next.kind === 'again') {
    if (iteration >= maxIterations)
      return exhaust(run, task, `all ${maxIterations} passes over the criteria were used`, {
        last: lastOne(task),
      });
    const { id: taskId } = task.spec;
    return { kind: 'conclude', facts: [{ type: 'iteration-started', taskId, iteration: iteration + 1 }] };
  }
  const coolAt = task.failures.last === null ? 0 : task.failures.last.at + run.config.policy.cooldownMs;
  if (run.now < coolAt) return { kind: 'wait', until: coolAt, why: 'cooling down' };
  const focus = enabled && next.kind === 'work' ? next.criterion.id : undefined;
  return startBuilder(run, task, task.attempt + 1, focus);
}

/** The output of the first check that fails on the current work. */
function wordsOf({ evidence, workTree }: TaskState): string {
  const latest = [...evidence.values()].map(({ attempt }) => attempt);
  const failed = latest.find((one) => one?.tree === workTree && one?.verdict === 'fail');
  const words = failed === undefined ? '' : failureWords(failed);
  return words === '' ? '' : `: ${words}`;
}

/** Adds the check's own output where it printed some: "exit 1" alone does not help a person. */
function lastFailure({ loop, evidence }: TaskState, id: string): string {
  const reason = loop.failures.get(id)?.reason ?? '';
  const latest = evidence.get(id)?.attempt;
  const words = latest === undefined || latest.reason !== reason ? '' : failureWords(latest);
  return words === '' ? reason : `${reason}: ${words}`;
}

function lastOne({ failures }: TaskState): string {
  return failures.last === null ? '' : `; the last failure: ${failures.last.reason}`;
}

function afterBuild(run: Run, task: TaskState, build: SessionResult): Move {
  const focus = focusOf(task);
  const asked = afterQuestion(run, task, build, focus);
  if (asked !== null) return asked;
  const left = whatBuildLeft(task, build);
  if (left === 'again') return startBuilder(run, task, task.attempt, focus);
  if (left === 'unreadable')
    return afterTransientError(run, task, focus) ?? failCriterion(task, focus ?? null, unreadable);
  if ('move' in left) return left.move;
  const { tree, isIdle } = left;
  if (task.inspection.checked?.tree !== tree && !isIdle)
    return startCheck(
      task,
      tree,
      focus === undefined ? uncheckedCriteria(run, task, tree) : cheapCriteria(run, task, focus),
    );
  const { isPassed, facts, why } = judgeSession(run, task, { build, tree });
  if (isPassed) return facts.length > 0 ? { kind: 'conclude', facts } : finish(run, task);
  const retry = afterTransientError(run, task, focus);
  if (retry !== null) return retry;
  if (build.signal?.kind === 'done' && !isExitBlocked(loopsOf(run)) && loopsOf(run).enabled)
    return giveUp(task, 'failed', `the builder left while ${why} (leaving is not blocked by the settings)`);
  return { kind: 'conclude', facts };
}

/** Nothing is open: run the slow checks, ask reviewers and people, then prove. */
function finish(run: Run, task: TaskState): Move {
  const { workTree: tree } = task;
  if (tree === null) return failCriterion(task, null, 'there is no work');
  const unseen = uncheckedCriteria(run, task, tree);
  if (task.inspection.checked?.tree !== tree || unseen.length > 0) return startCheck(task, tree, unseen);
  const gaps = gapsInProof(run, task, tree).filter((gap) => gap.awaits === undefined);
  const regressed = gaps.filter(({ criterionId }) => !isDecidedByOthers(task, criterionId));
  if (regressed.length > 0) {
    const why = regressed.map((gap) =>
      gap.criterionId === null ? gap.why : `${gap.criterionId}: ${gap.why}`,
    );
    return failCriterion(task, regressed[0]?.criterionId ?? task.loop.focus, why.join('; '));
  }
  const refused = gaps.find((gap) => task.evidence.get(gap.criterionId ?? '')?.attempt?.verdict === 'fail');
  if (refused !== undefined && isOfTree(task, refused.criterionId, tree))
    return failCriterion(task, refused.criterionId, refused.why);
  const others = loopsOf(run).requireVerification ? reviewNext(run, task, tree) : null;
  return others ?? personNext(run, task, tree) ?? { kind: 'prove', tree };
}

function isOfTree(task: TaskState, criterionId: string | null, tree: string): boolean {
  return task.evidence.get(criterionId ?? '')?.attempt?.tree === tree;
}

function focusOf(task: TaskState): string | undefined {
  return task.loop.focus ?? undefined;
}
