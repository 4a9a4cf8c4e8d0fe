// Tests the checks themselves at the acceptance: would they fail if the work were wrong?
import { availableParallelism } from 'node:os';
import { present } from '#base/assert.ts';
import { commandOf, describeCheck } from '#kernel/model/check.ts';
import { type Evidence, isByMachine } from '#kernel/model/criterion.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import { isRequired } from '#kernel/proof/proof.ts';
import type { Trees } from '#ports/trees.ts';
import { type CheckContext, reportProgress } from '#runtime/checks/check-context.ts';
import { sideBySide } from '#runtime/checks/run-checks.ts';
import type { Subject } from './bench.ts';
import { compareBytes } from './bytes.ts';
import { calibrateCheck, isFlipped } from './calibrate-check.ts';
import { tryOnGreenBase } from './preflight.ts';
import { taskOf } from '#kernel/fold/run.ts';

/**
 * Records the evidence of this step again, with the calibration.
 * Contract: changes no tree and no evidence of another step; repeated from the start after a crash.
 */
export async function calibrate(context: CheckContext, evidence: readonly Evidence[]): Promise<void> {
  const { step, run, world, emit, signal } = context;
  const { trees } = world.workspace;
  if (run.config.calibration !== 'auto' || signal.aborted) return;
  const subjects = subjectsOf(context, evidence);
  if (step.deed.purpose === 'base' && trees !== undefined) return preflight(context, trees, subjects);
  if (step.deed.purpose !== 'acceptance' || subjects.length === 0 || isLost(context, evidence)) return;
  const commands = new Set(subjects.map(({ criterion }) => describeCheck(criterion.check)));
  reportProgress(context, `calibrating ${[...commands].join(', ')}`);
  const bytes =
    trees === undefined
      ? null
      : await compareBytes(context, trees, present(step.baseTree, 'a check has a tree'));
  await forEachGroup(subjects, async (group) => {
    const found = await calibrateOne(group, { trees, bytes, subjects });
    if (signal.aborted) return;
    for (const subject of group) emit([{ type: 'evidence-recorded', evidence: settle(subject, found) }]);
  });
}

/** Required checks that passed. Files and symbols are excluded: they are what the user asked for. */
function subjectsOf(context: CheckContext, evidence: readonly Evidence[]): Subject[] {
  return evidence.flatMap((now) => {
    const task = taskOf(context.run, now.taskId);
    const criterion = task.spec.criteria.find(({ id }) => id === now.criterionId);
    if (criterion === undefined || !isByMachine(criterion) || now.verdict !== 'pass') return [];
    const { check } = criterion;
    if (check.kind === 'file' || check.kind === 'symbol' || check.kind === 'hook') return [];
    // On the base itself, whether a guard is required depends on the evidence of this step.
    const isBase = now.purpose === 'base';
    if (isBase ? !criterion.required : !isRequired(context.run, task, criterion)) return [];
    const base = task.evidence.get(criterion.id)?.base ?? null;
    return [{ context, taskId: now.taskId, criterion: { ...criterion, check }, base, now, spent: { ms: 0 } }];
  });
}

/** A required check failed: the task is reopened anyway, so calibration is pointless. */
function isLost({ run }: CheckContext, evidence: readonly Evidence[]): boolean {
  return evidence.some((now) => {
    const task = taskOf(run, now.taskId);
    const criterion = task.spec.criteria.find(({ id }) => id === now.criterionId);
    const isOpen = now.verdict !== 'pass' && now.flaky === undefined;
    return criterion !== undefined && isRequired(run, task, criterion) && isOpen;
  });
}

/** Calibrates a flipped check once for all tasks that share it. Others have different tests per task. */
async function forEachGroup(
  subjects: readonly Subject[],
  perform: (group: readonly [Subject, ...Subject[]]) => Promise<void>,
): Promise<void> {
  const groups = new Map<string, [Subject, ...Subject[]]>();
  for (const subject of subjects) {
    const { criterion, base, now } = subject;
    const whose = now.purpose === 'acceptance' && !isFlipped(subject) ? subject.taskId : null;
    const key = JSON.stringify([criterion.check, criterion.alone, base?.tree, base?.verdict, whose]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [subject]);
    else known.push(subject);
  }
  const all = [...groups.values()];
  const sharing = all.filter(([{ criterion }]) => criterion.alone === false);
  await sideBySide(sharing, availableParallelism(), perform);
  for (const group of all.filter(([{ criterion }]) => criterion.alone !== false)) await perform(group);
}

interface Ground {
  readonly trees: Trees | undefined;
  readonly bytes: Calibration | null;
  readonly subjects: readonly Subject[];
}

async function calibrateOne(
  group: readonly [Subject, ...Subject[]],
  { trees, bytes, subjects }: Ground,
): Promise<readonly Calibration[]> {
  if (trees === undefined) return [notPossible];
  if (bytes?.verdict === 'refused') return [bytes];
  const isFlippedFor = (taskId: string): boolean =>
    subjects.some((one) => one.taskId === taskId && isFlipped(one));
  const [subject] = group;
  const found = await calibrateCheck(
    subject,
    trees,
    group.some(({ taskId }) => !isFlippedFor(taskId)),
  );
  return bytes === null ? found : [bytes, ...found];
}

/** Only on the run's own base: later bases hold work of this run, and each would cost as much again. */
async function preflight(context: CheckContext, trees: Trees, subjects: readonly Subject[]): Promise<void> {
  const { step, run, emit, signal } = context;
  if (step.baseTree !== run.base?.tree || step.deed.place !== 'clean') return;
  await forEachGroup(
    subjects.filter(({ criterion }) => commandOf(criterion.check) !== null),
    async (group) => {
      const found = await tryOnGreenBase(group[0], trees);
      if (signal.aborted || found === null) return;
      for (const { now } of group)
        emit([{ type: 'evidence-recorded', evidence: { ...now, calibration: [found] } }]);
    },
  );
}

const notPossible: Calibration = {
  kind: 'planted-failure',
  verdict: 'none',
  reason: 'This workspace makes no trees without a checkout.',
  runs: 0,
  durationMs: 0,
  logs: [],
};

/** A refusal takes the pass back. A check that was red by chance is flaky: a person decides at once. */
function settle({ now }: Subject, calibration: readonly Calibration[]): Evidence {
  const refused = calibration.find(({ verdict }) => verdict === 'refused');
  if (refused === undefined) return { ...now, calibration };
  const flaky = refused.kind === 'base-recheck' ? { flaky: { passed: 1, failed: 1, isAccepted: false } } : {};
  return { ...now, verdict: 'unknown', reason: refused.reason, ...flaky, calibration };
}
