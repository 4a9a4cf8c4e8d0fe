// Finds changes of pinned files since the base, for the verdict and for the tamper ledger.
import { present } from '#base/assert.ts';
import type { BrokenPin } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import { isAccepted, isUnsettled } from '#kernel/proof/tampering.ts';
import type { CheckDeps } from '#ports/world.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import type { StepOf } from '#runtime/steps/performance.ts';

type CheckStep = StepOf<CheckOperation>;

export interface PinFindings {
  /** Changes that no person had allowed. */
  readonly brokenPins: readonly BrokenPin[];
  /** New entries of the ledger. */
  readonly facts: readonly Fact[];
}

export async function checkPins(step: CheckStep, run: Run, world: CheckDeps): Promise<PinFindings> {
  if (step.deed.purpose === 'base' || run.base === null) return { brokenPins: [], facts: [] };
  const tree = present(step.baseTree, 'a check has a tree');
  const { pins } = run.base;
  const all = await world.workspace.brokenPins(pins, tree, []);
  const allowed = allowedBeforehand(step, run);
  const refused =
    all.length === 0 || allowed.length === 0 ? all : await world.workspace.brokenPins(pins, tree, allowed);
  const brokenPins = refused.filter(({ isSuspicion }) => isSuspicion !== true);
  // Files in the middle of a session may still change, so a preview records nothing.
  if (step.deed.purpose === 'look') return { brokenPins, facts: [] };
  return {
    brokenPins,
    facts: [...changeFacts({ step, run, tree, all, brokenPins }), ...righted(step, run, all)],
  };
}

/** Whether a change of pinned files was allowed or accepted: then fewer tests may be intended. */
export async function mayHaveFewerTests(step: CheckStep, run: Run, world: CheckDeps): Promise<boolean> {
  if (run.base === null) return false;
  const tree = present(step.baseTree, 'a check has a tree');
  const all = await world.workspace.brokenPins(run.base.pins, tree, []);
  const refused = await world.workspace.brokenPins(run.base.pins, tree, allowedBeforehand(step, run));
  return all.length > refused.length || all.some((pin) => isAccepted(run, pin));
}

function allowedBeforehand(step: CheckStep, run: Run): string[] {
  const allowed = [...run.config.mayChange];
  for (const task of run.tasks.values()) {
    const isPinCheck =
      step.taskId === null
        ? task.status.is === 'landed'
        : task.spec.id === step.taskId || task.status.is === 'landed';
    if (isPinCheck) allowed.push(...task.spec.mayChange);
  }
  return allowed;
}

interface Sight {
  readonly step: CheckStep;
  readonly run: Run;
  readonly tree: string;
  readonly all: readonly BrokenPin[];
  readonly brokenPins: readonly BrokenPin[];
}

/** Each content is recorded once, however often it is seen. */
function changeFacts({ step, run, tree, all, brokenPins }: Sight): Fact[] {
  const refused = new Set(brokenPins.map(({ path }) => path));
  return all.flatMap((pin): Fact[] => {
    const { path, change, why, content = '', weakening = [] } = pin;
    const suspicion = pin.isSuspicion === true ? { isSuspicion: true as const } : {};
    const isAllowed = !refused.has(path) && pin.isSuspicion !== true;
    const isKnown = run.tampering.some(
      (entry) =>
        entry.path === path &&
        entry.content === content &&
        entry.state !== 'put right' &&
        entry.state !== 'changed again' &&
        (entry.isAllowed || !isAllowed),
    );
    if (isKnown) return [];
    const { stepId, taskId } = step;
    const session = lastBuilder(run, taskId);
    const what = { path, change, why, content, weakening };
    const tampering = { ...what, stepId, tree, taskId, session, isAllowed, ...suspicion };
    return [{ type: 'tampering-seen', tampering }];
  });
}

/** A tree that never had another task's change does not undo that change. */
function righted(step: CheckStep, run: Run, all: readonly BrokenPin[]): Fact[] {
  const isOurs = (taskId: string | null): boolean =>
    step.taskId === null || taskId === null || taskId === step.taskId;
  const entries = run.tampering.filter((entry) => isUnsettled(entry) && isOurs(entry.taskId));
  const paths = new Set(entries.map(({ path }) => path));
  for (const { path } of all) paths.delete(path);
  const by = lastBuilder(run, step.taskId) ?? 'an unknown session';
  const tree = present(step.baseTree, 'a check has a tree');
  return [...paths].map((path) => ({ type: 'tampering-righted', path, by, tree }));
}

function lastBuilder(run: Run, taskId: string | null): string | null {
  const last = run.sessions.findLast(
    (session) =>
      (taskId === null || session.taskId === taskId) && run.config.roles[session.role]?.readOnly !== true,
  );
  return last === undefined ? null : sessionName(last);
}
