// One question to a run: how does the work stand? A live driver is asked; where there is none, we drive until it is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '#kernel/fold/run.ts';
import { driveRun } from '#app/world.ts';
import { dropControl, reasonOf } from './controls.ts';
import { loadRun, type Site } from '#app/site.ts';

export interface LookOrder {
  readonly runId: string;
  readonly taskId: string;
  /** Who wants to know. */
  readonly by: string;
  readonly msMax: number;
  /** Drive where nobody does; never from inside a run, whose driver has to be somebody else. */
  readonly mayDrive: boolean;
}

export interface Looked {
  readonly run: Run;
  readonly lookId: string;
  /** Why nobody looks; null where somebody did, or time ran out. */
  readonly refused: string | null;
}

export async function lookNow(site: Site, order: LookOrder): Promise<Looked> {
  const { runId, taskId, by, msMax, mayDrive } = order;
  const lookId = await dropControl(site, runId, { kind: 'look', taskId }, by);
  const signal = AbortSignal.timeout(msMax);
  for (;;) {
    // Whoever drove it when we asked may have left without an answer: then it is for us.
    const { run, hasDriven } = mayDrive
      ? await driveAndRead(site, runId, signal)
      : { ...(await loadRun(site, runId)), hasDriven: false };
    const isAnswered = run.tasks.get(taskId)?.previews.newest?.answers.includes(lookId) === true;
    const refused = run.controls.get(lookId) === 'refused' ? await reasonOf(site, runId, lookId) : null;
    if (isAnswered || refused !== null || run.outcome !== null || hasDriven || signal.aborted)
      return { run, lookId, refused };
    await sleep(mayDrive ? 500 : 100);
  }
}

/** The run as this process left it, or as its own driver has it now. */
export async function driveAndRead(
  site: Site,
  runId: string,
  signal: AbortSignal,
): Promise<{ readonly run: Run; readonly hasDriven: boolean }> {
  const end = await driveRun(site, runId, { observers: [], leaveWhenParked: () => true, signal });
  if (end.kind === 'held') return { run: (await loadRun(site, runId)).run, hasDriven: false };
  return { run: end.run, hasDriven: true };
}
