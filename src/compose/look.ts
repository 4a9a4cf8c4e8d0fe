// One question to a run: how does the work stand? A live driver is asked; where there is none, we drive until it is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '#kernel/run.ts';
import { driveRun } from '#compose.ts';
import { dropControl } from './controls.ts';
import { reasonOf } from './refusal.ts';
import { loadRun } from './site.ts';
import type { Site } from './site.ts';

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
    const hasDriven = mayDrive && (await driveQuietly(site, runId, signal));
    const { run } = await loadRun(site, runId);
    const isAnswered = run.tasks.get(taskId)?.look?.answers.includes(lookId) === true;
    const refused = run.controls.get(lookId) === 'refused' ? await reasonOf(site, runId, lookId) : null;
    if (isAnswered || refused !== null || run.outcome !== null || hasDriven || signal.aborted)
      return { run, lookId, refused };
    await sleep(mayDrive ? 500 : 100);
  }
}

/** False when somebody else drives it. */
export async function driveQuietly(site: Site, runId: string, signal: AbortSignal): Promise<boolean> {
  const end = await driveRun(site, runId, { observers: [], leaveWhenParked: () => true, signal });
  return end.kind !== 'held';
}
