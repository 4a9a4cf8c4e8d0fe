// How far the attempt of a task is. Each state holds what is known in it, and nothing else.
import type { SessionResult } from '#kernel/model/step.ts';

export type Work = NoWork | BuiltWork;

type NoWork =
  /** No attempt is under way, and nothing is left of one: before the first, or where a session was given up. */
  | { readonly kind: 'idle' }
  /** Its builder session runs, or was lost and is started again. */
  | { readonly kind: 'building' };

interface BuiltWork {
  /**
   * `built`: the builder session has ended, and what it left is checked, reviewed and judged. `over`: the attempt is decided;
   * a person's word may take it up again as it is.
   */
  readonly kind: 'built' | 'over';
  readonly build: SessionResult;
  /** What the pre-commit hook made of the session's tree; it has its turn once. */
  readonly hooked: string | null;
  /** Why a person is waited for where the task would else be given up. */
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

/** A session of the same attempt does not take up one that is over. */
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

/** The work goes on from what the hook made of it; false where there is no work. */
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

/** It is looked at again, not built again. */
export function takeUpAgain(task: WithWork): void {
  if (task.work.kind === 'over') task.work = { ...task.work, kind: 'built' };
}

/** Null: nobody is waited for any more. */
export function setAwaiting(task: WithWork, awaiting: string | null): void {
  if (isBuilt(task.work)) task.work = { ...task.work, awaiting };
}

function isBuilt(work: Work): work is BuiltWork {
  return work.kind === 'built' || work.kind === 'over';
}
