// The state of a task's attempt. Each state holds only the data that is known in it.
import type { SessionResult } from '#kernel/model/step.ts';

export type Work = NoWork | BuiltWork;

type NoWork =
  /** No attempt is active: before the first, or after one that ended without a session result. */
  | { readonly kind: 'idle' }
  /** Its builder session runs, or was lost and is started again. */
  | { readonly kind: 'building' };

interface BuiltWork {
  /**
   * `built`: the builder session has ended, and its work is checked, reviewed and judged. `over`: the attempt
   * is decided; a person's verdict may reopen it without a change.
   */
  readonly kind: 'built' | 'over';
  readonly build: SessionResult;
  /** The tree after the pre-commit hook changed the session's tree; the hook runs once. */
  readonly hooked: string | null;
  /** Why the task waits for a person instead of failing. */
  readonly awaiting: string | null;
}

interface WithWork {
  work: Work;
}

export function isAttemptOver({ work }: Readonly<WithWork>): boolean {
  return work.kind === 'idle' || work.kind === 'over';
}

/** The builder session of the attempt, once it ended. */
export function buildOf({ work }: Readonly<WithWork>): SessionResult | null {
  return isBuilt(work) ? work.build : null;
}

export function awaitingOf({ work }: Readonly<WithWork>): string | null {
  return isBuilt(work) ? work.awaiting : null;
}

/** A session of the same attempt does not reopen an attempt that is over. */
export function startBuild(task: WithWork, { isNewAttempt }: { readonly isNewAttempt: boolean }): void {
  task.work = { kind: isNewAttempt || !isAttemptOver(task) ? 'building' : 'idle' };
}

export function endBuild(task: WithWork, build: SessionResult): void {
  const { work } = task;
  if (isBuilt(work)) task.work = { ...work, build };
  else task.work = { kind: work.kind === 'idle' ? 'over' : 'built', build, hooked: null, awaiting: null };
}

export function hookedOf({ work }: Readonly<WithWork>): string | null {
  return isBuilt(work) ? work.hooked : null;
}

/** The work continues from the hook's tree; false if there is no work. */
export function takeHooked(task: WithWork, tree: string): boolean {
  const { work } = task;
  if (!isBuilt(work)) return false;
  task.work = { ...work, build: { ...work.build, endTree: tree }, hooked: tree };
  return true;
}

export function endAttempt(task: WithWork): void {
  const { work } = task;
  task.work = isBuilt(work) ? { ...work, kind: 'over' } : { kind: 'idle' };
}

/** The work is checked again, not built again. */
export function recheckWork(task: WithWork): void {
  if (task.work.kind === 'over') task.work = { ...task.work, kind: 'built' };
}

/** Null: the task no longer waits for a person. */
export function setAwaiting(task: WithWork, awaiting: string | null): void {
  if (isBuilt(task.work)) task.work = { ...task.work, awaiting };
}

function isBuilt(work: Work): work is BuiltWork {
  return work.kind === 'built' || work.kind === 'over';
}
