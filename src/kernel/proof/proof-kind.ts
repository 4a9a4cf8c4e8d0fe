// Decides the kind of proof of each task, and of the whole run.
import { type Criterion, type Evidence, isByMachine } from '#kernel/model/criterion.ts';
import { isRequired, isTakenByPerson, refusalOf, reviewersOf } from './proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { personStepId } from '#kernel/model/step.ts';
import { type ProofKind, proofKinds } from '#kernel/model/outcome.ts';

/** The strongest kind that holds for the task; null for none. */
export function proofOfTask(run: Run, task: TaskState): ProofKind | null {
  return proofKinds.find((kind) => holds[kind](run, task)) ?? null;
}

/** The weakest kind over the tasks that were worked on; null if one of them has no proof. */
export function proofOfRun(run: Run): ProofKind | null {
  if (isApprovedAsWhole(run)) return 'person';
  const landed = landedTasks(run);
  const worked = landed.filter(isWorkedOn);
  const kinds = (worked.length === 0 ? landed : worked).map((task) => proofOfTask(run, task));
  if (worked.length > 0 && kinds.includes(null)) return null;
  return proofKinds.findLast((kind) => kinds.includes(kind)) ?? null;
}

/** Whether a person approved the work as it is, after the end. */
export function isApprovedAsWhole({ approval, tip }: Run): boolean {
  return approval !== null && approval.tree === tip?.tree;
}

/** Whether the run's proof is enough to complete it. */
export function isSubstantiated(run: Run): boolean {
  const proof = proofOfRun(run);
  return proof !== null && (proof !== 'review' || isReviewAccepted(run));
}

/** Tasks that were worked on and have no proof of any kind. */
export function vacuousTasks(run: Run): TaskState[] {
  return landedTasks(run).filter((task) => isWorkedOn(task) && proofOfTask(run, task) === null);
}

/** Tasks that were worked on and whose only proof is a reviewer's pass. */
export function reviewedTasks(run: Run): TaskState[] {
  return landedTasks(run).filter((task) => isWorkedOn(task) && proofOfTask(run, task) === 'review');
}

/** Whether a reviewer's pass alone completes this run. In older runs without the setting, it does. */
export function isReviewAccepted(run: Run): boolean {
  const { acceptReview = true } = run.config;
  if (typeof acceptReview === 'boolean') return acceptReview;
  return !reviewedTasks(run).some((task) => couldFlip(run, task));
}

/** Whether anything but a person's approval after the end could prove the task. */
export function couldBeProven(run: Run, task: TaskState): boolean {
  const isDecidedByOthers = ({ check }: Criterion): boolean =>
    check.kind === 'reviewer' || check.kind === 'human';
  return couldFlip(run, task) || task.spec.criteria.some(isDecidedByOthers);
}

/** Whether a required check of the task was not green on its base. */
function couldFlip(run: Run, task: TaskState): boolean {
  return task.spec.criteria.some(
    (criterion) => countsFor(run, task, criterion) && wasRed(task.evidence.get(criterion.id)?.base),
  );
}

const holds: { readonly [kind in ProofKind]: (run: Run, task: TaskState) => boolean } = {
  checks: (run, task) => isFlipped(run, task, ({ check }) => check.kind !== 'held-out'),
  'held-out': (run, task) => isFlipped(run, task, ({ check }) => check.kind === 'held-out'),
  'added-tests': (run, task) =>
    hasChanged(run, task) &&
    isReviewed(task) &&
    task.spec.criteria.some(
      (criterion) =>
        countsFor(run, task, criterion) && hasAddedTests(task.evidence.get(criterion.id)?.acceptance),
    ),
  person: isApproved,
  review: (run, task) =>
    hasChanged(run, task) &&
    task.spec.criteria.some(
      (criterion) =>
        criterion.check.kind === 'reviewer' &&
        countsFor(run, task, criterion) &&
        task.evidence.get(criterion.id)?.attempt?.verdict === 'pass',
    ),
};

function isFlipped(run: Run, task: TaskState, isOfKind: (criterion: Criterion) => boolean): boolean {
  if (!hasChanged(run, task)) return false;
  return task.spec.criteria.some((criterion) => {
    if (!isByMachine(criterion) || !isOfKind(criterion) || !countsFor(run, task, criterion)) return false;
    const { base, acceptance } = task.evidence.get(criterion.id) ?? {};
    return wasRed(base) && acceptance?.verdict === 'pass' && isSound(acceptance);
  });
}

/** Whether a check of these tasks turned green only by tests that came with the work. */
export function restsOnAddedTests(tasks: readonly TaskState[]): boolean {
  return tasks.some(({ evidence }) =>
    [...evidence.values()].some(
      ({ base, acceptance }) =>
        wasRed(base) &&
        acceptance?.verdict === 'pass' &&
        acceptance.calibration?.some((one) => one.restsOnAddedFiles === true),
    ),
  );
}

/** No calibration refused it, and the work, not a test that came with it, turned it green. */
function isSound(evidence: Evidence): boolean {
  const restsOnAddedFiles = evidence.calibration?.some((one) => one.restsOnAddedFiles === true) ?? false;
  return refusalOf(evidence) === undefined && !restsOnAddedFiles;
}

function wasRed(base: Evidence | undefined): boolean {
  return base !== undefined && base.verdict !== 'pass' && base.flaky === undefined;
}

function hasAddedTests(evidence: Evidence | undefined): boolean {
  if (evidence?.verdict !== 'pass' || refusalOf(evidence) !== undefined) return false;
  return (
    evidence.calibration?.some(({ kind, verdict }) => kind === 'added-tests' && verdict === 'passed') ?? false
  );
}

function isReviewed(task: TaskState): boolean {
  const reviewers = reviewersOf(task).filter(({ id }) => !task.skips.has(id));
  const passed = reviewers.filter(({ id }) => task.evidence.get(id)?.attempt?.verdict === 'pass');
  return reviewers.length > 0 && passed.length === reviewers.length;
}

function isApproved(run: Run, task: TaskState): boolean {
  return task.spec.criteria.some((criterion) => {
    if (!countsFor(run, task, criterion)) return false;
    const evidence = task.evidence.get(criterion.id);
    if (criterion.check.kind === 'human') return evidence?.attempt?.verdict === 'pass';
    if (criterion.check.kind === 'reviewer')
      return (
        hasChanged(run, task) &&
        evidence?.attempt?.verdict === 'pass' &&
        evidence.attempt.stepId === personStepId
      );
    return (
      hasChanged(run, task) &&
      evidence?.acceptance !== undefined &&
      isTakenByPerson(task, evidence.acceptance)
    );
  });
}

/** An agent's proposal that no person accepted adds a requirement; it proves nothing about the work. */
function countsFor(run: Run, task: TaskState, criterion: Criterion): boolean {
  const isFromPolicy = task.changes.some(
    ({ change, approvedBy }) =>
      approvedBy === 'policy' && change.kind === 'add' && change.criterion.id === criterion.id,
  );
  return !isFromPolicy && isRequired(run, task, criterion);
}

/** Only a person can prove an unchanged tree, unless the work is meant to leave no trace. */
function hasChanged({ base, config, tasks, tip }: Run, task: TaskState): boolean {
  if (config.policy.mayLeaveTreeUnchanged) return true;
  return tip?.tree !== base?.tree && (tasks.size <= 1 || task.workTree !== task.start.tree);
}

function landedTasks({ tasks }: Run): TaskState[] {
  return [...tasks.values()].filter(({ status }) => status.is === 'landed');
}

function isWorkedOn({ attempt }: TaskState): boolean {
  return attempt > 0;
}
