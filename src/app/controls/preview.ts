// Requests a preview of a task's work from the driver; without one, this process drives until it answers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '#kernel/fold/run.ts';
import { driveRun } from '#app/world.ts';
import { dropControl, reasonOf } from './controls.ts';
import { loadRun, type Site } from '#app/site.ts';

export interface PreviewOrder {
  readonly runId: string;
  readonly taskId: string;
  readonly by: string;
  readonly msMax: number;
  /** Drive the run if it has no driver. Never from inside a run, where another process must be the driver. */
  readonly mayDrive: boolean;
}

export interface PreviewResult {
  readonly run: Run;
  readonly previewId: string;
  /** Why the preview was refused; null if it was made, or time ran out. */
  readonly refused: string | null;
}

export async function previewNow(site: Site, order: PreviewOrder): Promise<PreviewResult> {
  const { runId, taskId, by, msMax, mayDrive } = order;
  const previewId = await dropControl(site, runId, { kind: 'look', taskId }, by);
  const signal = AbortSignal.timeout(msMax);
  for (;;) {
    // The driver may have left without an answer; then this process drives.
    const { run, hasDriven } = mayDrive
      ? await driveAndRead(site, runId, signal)
      : { ...(await loadRun(site, runId)), hasDriven: false };
    const isAnswered = run.tasks.get(taskId)?.previews.newest?.answers.includes(previewId) === true;
    const refused = run.controls.get(previewId) === 'refused' ? await reasonOf(site, runId, previewId) : null;
    if (isAnswered || refused !== null || run.outcome !== null || hasDriven || signal.aborted)
      return { run, previewId, refused };
    await sleep(mayDrive ? 500 : 100);
  }
}

/** The run as this process left it, or as its current driver has it now. */
export async function driveAndRead(
  site: Site,
  runId: string,
  signal: AbortSignal,
): Promise<{ readonly run: Run; readonly hasDriven: boolean }> {
  const end = await driveRun(site, runId, { observers: [], leaveWhenParked: () => true, signal });
  if (end.kind === 'held') return { run: (await loadRun(site, runId)).run, hasDriven: false };
  return { run: end.run, hasDriven: true };
}
