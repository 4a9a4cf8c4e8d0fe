// Decides what happens when no task has anything left to do: acceptance, an outcome, or a named wait.
import { clipped } from '#base/bounded-text.ts';
import { isByMachine, isExit } from '#kernel/model/criterion.ts';
import { present } from '#base/assert.ts';
import { noReserve } from '#kernel/model/budget.ts';
import type { Fact } from '#kernel/events/events.ts';
import {
  isWholeProven,
  narrowingNote,
  unapprovedDrops,
  unapprovedEasings,
  unapprovedSkips,
} from '#kernel/proof/narrowing.ts';
import { gapsInAcceptance, isTakenByPerson } from '#kernel/proof/proof.ts';
import {
  isApprovedAsWhole,
  isSubstantiated,
  proofOfRun,
  restsOnAddedTests,
  reviewedTasks,
  vacuousTasks,
} from '#kernel/proof/proof-kind.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { type CheckOperation, type Step, stepIdOf } from '#kernel/model/step.ts';
import type { Decision } from './decision.ts';
import type { StatusName, TaskStatus } from '#kernel/model/task.ts';

export function decideEnding(run: Run, decision: Decision): void {
  if (decision.waitingFor !== null) return;
  if (run.queue.active.size > 0 || run.queue.ready.length > 0) return;
  if (run.queue.unfinished > 0) return endBlocked(run, decision);
  const failed = failedTasks(run);
  const [first] = failed;
  if (first !== undefined) {
    const outcome = failed.every(({ as }) => as === first.as) ? first.as : 'failed';
    const reason = run.tasks.size === 1 ? first.reason : failedLines(failed).join('; ');
    decision.record.push({ type: 'run-ended', outcome, reason });
    return;
  }
  decideAcceptance(run, decision);
}

function endBlocked(run: Run, decision: Decision): void {
  const waiting = [...run.tasks.values()].filter((task) => task.status.is === 'waiting');
  const lines = waiting
    .slice(0, blockedMax)
    .map((task) => `${task.spec.id} waits for ${someOf(unmet(run, task))}`);
  if (waiting.length > blockedMax) lines.push(`and ${waiting.length - blockedMax} more wait`);
  // A failed task that others wait for explains the end better than the rest.
  const failed = failedTasks(run).toSorted(
    (one, other) => Number(isAwaited(waiting, other)) - Number(isAwaited(waiting, one)),
  );
  lines.push(...failedLines(failed));
  decision.record.push({ type: 'run-ended', outcome: 'blocked', reason: lines.join('; ') });
}

type FailedTask = { readonly id: string } & Extract<TaskStatus, { readonly is: 'failed' }>;

function failedTasks(run: Run): FailedTask[] {
  return [...run.tasks.values()].flatMap(({ spec, status }) =>
    status.is === 'failed' ? [{ id: spec.id, ...status }] : [],
  );
}

function failedLines(failed: readonly FailedTask[]): string[] {
  const lines = failed.slice(0, blockedMax).map(({ id, reason }) => `${id} failed: ${clipped(reason, 120)}`);
  return failed.length > blockedMax ? [...lines, `and ${failed.length - blockedMax} more failed`] : lines;
}

/** The reason is a headline; the list of tasks is complete. */
const blockedMax = 3;

function someOf(ids: readonly string[]): string {
  return ids.length <= blockedMax
    ? ids.join(', ')
    : `${ids.slice(0, blockedMax).join(', ')} and ${ids.length - blockedMax} more`;
}

function isAwaited(waiting: readonly TaskState[], { id }: FailedTask): boolean {
  return waiting.some((task) => task.spec.dependsOn.includes(id));
}

function decideAcceptance(run: Run, decision: Decision): void {
  const tip = present(run.tip, 'a prepared run has a tip');
  const { acceptance } = run;
  // The acceptance must come from the current driver, so that a forged history proves nothing.
  if (acceptance === null || acceptance.tree !== tip.tree || acceptance.epoch !== run.epoch) {
    decision.start.push(acceptanceStep(run, tip.tree));
    return;
  }
  const gaps = gapsInAcceptance(run);
  const failed = gaps.filter(({ awaits }) => awaits !== 'person');
  if (failed.length > 0 && isApprovedAsWhole(run)) {
    decision.record.push(notAccepted(failed));
    return;
  }
  if (failed.length > 0) return reopen(failed, decision);
  const [left] = gaps;
  if (left !== undefined) {
    decision.waitingFor = `a person's verdict on ${left.criterionId ?? 'the work'}: ${left.why}`;
    return;
  }
  if (!acceptance.isPassed) {
    decision.record.push({ type: 'acceptance-passed', commit: tip.commit, tree: tip.tree, epoch: run.epoch });
    return;
  }
  const reason = whyNotApproved(run);
  if (reason !== null) decision.record.push({ type: 'run-ended', outcome: 'unverified', reason });
  else decision.record.push(isSubstantiated(run) ? completed(run) : unverified(run));
}

/** Which requirements were dropped or weakened without a person's approval; null if none. */
function whyNotApproved(run: Run): string | null {
  if (isApprovedAsWhole(run)) return null;
  const skipped = unapprovedSkips(run);
  if (skipped.length > 0) return `skipped without a person's approval: ${skipped.join('; ')}`;
  const unproven = 'no check of the whole goal failed before the work';
  const dropped = unapprovedDrops(run);
  if (dropped.length > 0) {
    const whole = isWholeProven(run) ? 'a person had planned it' : unproven;
    return `a new plan drops ${dropped.join(', ')}; no person approved that, and ${whole}`;
  }
  const eased = unapprovedEasings(run);
  if (eased.length === 0) return null;
  return `a new plan asked less of ${eased.join(', ')}; no person approved that, and ${unproven}`;
}

/** Every machine check of the landed tasks, on a clean checkout of `tree`. */
export function acceptanceStep(run: Run, tree: string): Step & { readonly deed: CheckOperation } {
  const criteria: { taskId: string; criterionId: string }[] = [];
  for (const task of run.tasks.values()) {
    if (task.status.is !== 'landed') continue;
    for (const criterion of task.spec.criteria) {
      if (isByMachine(criterion) && isExit(criterion) && criterion.guard !== true)
        criteria.push({ taskId: task.spec.id, criterionId: criterion.id });
    }
  }
  const operation: CheckOperation = {
    kind: 'check',
    purpose: 'acceptance',
    place: 'clean',
    when: 'acceptance',
    criteria,
  };
  const stepId = stepIdOf(run.stepsStarted + 1, { taskId: null, deed: operation });
  return { stepId, taskId: null, baseTree: tree, reserve: noReserve, deed: operation };
}

function reopen(gaps: ReturnType<typeof gapsInAcceptance>, decision: Decision): void {
  const reasons = new Map<string, string[]>();
  for (const gap of gaps) {
    const known = reasons.get(gap.taskId) ?? [];
    const why = gap.criterionId === null ? gap.why : `${gap.criterionId}: ${gap.why}`;
    if (!known.includes(why)) known.push(why);
    reasons.set(gap.taskId, known);
  }
  for (const [taskId, why] of reasons) {
    decision.record.push({
      type: 'task-reopened',
      taskId,
      reason: `on a clean checkout: ${why.join('; ')}`,
    });
  }
}

/** A person approved the work as it was: a check that fails now is no reason to pay another builder. */
function notAccepted(gaps: ReturnType<typeof gapsInAcceptance>): RunEnded {
  const what = gaps.map(({ criterionId, why }) => (criterionId === null ? why : `${criterionId}: ${why}`));
  const reason = `approved by a person, and not accepted on a clean checkout now: ${[...new Set(what)].join('; ')}`;
  return { type: 'run-ended', outcome: 'unverified', reason };
}

function completed(run: Run): RunEnded {
  const named = (status: StatusName, word: string): string => {
    const ids = [...run.tasks.values()]
      .filter((task) => task.status.is === status)
      .map(({ spec }) => spec.id);
    return ids.length === 0 ? '' : `; ${word}: ${firstFive(ids)}`;
  };
  const proof = present(proofOfRun(run), 'a completed run has proof');
  const onReview = proof === 'review' ? "; a reviewer's pass is the only proof, which this run accepts" : '';
  const approved = run.approval !== null && isApprovedAsWhole(run) ? `; approved by ${run.approval.by}` : '';
  const note = named('skipped', 'skipped') + named('dropped', 'dropped by a new plan');
  const reason = `${whatPassed(run)}${takenNote(run)}${onReview}${approved}${uncalibrated(run)}${note}${narrowingNote(run)}`;
  return { type: 'run-ended', outcome: 'completed', reason, proof };
}

/** A person can approve a run without criteria. */
function whatPassed({ tasks }: Run): string {
  const hasCriteria = [...tasks.values()].some(({ spec }) => spec.criteria.length > 0);
  return hasCriteria ? 'every required criterion passed on a clean checkout' : 'there is no check';
}

function takenNote(run: Run): string {
  const taken = [...run.tasks.values()].flatMap((task) =>
    [...task.evidence.values()].flatMap(({ acceptance }) =>
      acceptance !== undefined && isTakenByPerson(task, acceptance) ? [acceptance.criterionId] : [],
    ),
  );
  return taken.length === 0 ? '' : `, except what a person approved: ${firstFive([...new Set(taken)])}`;
}

function uncalibrated({ config }: Run): string {
  return config.calibration === 'off' ? '; the checks were not calibrated' : '';
}

function firstFive(ids: readonly string[]): string {
  return `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;
}

function unverified(run: Run): RunEnded {
  const ended = { type: 'run-ended', outcome: 'unverified' } as const;
  if (run.config.policy.loops?.requireVerification === false)
    return { ...ended, reason: 'verification is switched off (loops.requireVerification)' };
  const isReviewed = proofOfRun(run) === 'review';
  const tasks = (isReviewed ? reviewedTasks(run) : vacuousTasks(run)).map(({ spec }) => spec.id);
  const whose = run.tasks.size > 1 && tasks.length > 0 ? ` (${firstFive(tasks)})` : '';
  if (isReviewed)
    return {
      ...ended,
      reason: `a reviewer passed it, and no check, added test or person proves it${whose}${uncalibrated(run)}`,
      proof: 'review',
    };
  const hasChecks = [...run.tasks.values()].some(({ spec }) =>
    spec.criteria.some(({ required }) => required),
  );
  if (!hasChecks) return { ...ended, reason: 'there is no check and no reviewer' };
  const why = restsOnAddedTests(vacuousTasks(run))
    ? 'the checks pass only with tests that came with the work'
    : 'every passing check passed before the work';
  return { ...ended, reason: `${why}, and there is no review${whose}` };
}

type RunEnded = Extract<Fact, { readonly type: 'run-ended' }>;

function unmet(run: Run, task: TaskState): string[] {
  return task.spec.dependsOn.filter((id) => run.tasks.get(id)?.status.is !== 'landed');
}
