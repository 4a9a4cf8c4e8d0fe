import type { Site } from '#app/site.ts';
import { dropControl } from '#app/controls/controls.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';

export interface StopOptions {
  readonly json?: boolean;
  readonly now?: boolean;
  readonly why?: string;
}

export async function stopCommand(name: string | undefined, options: StopOptions): Promise<number> {
  await refuseFromInside('untildone stop');
  const { site, known } = await pickUnfinished(name, { command: 'stop' });
  const { run, holder } = known;
  const now = options.now === true;
  const controlId = await dropControl(site, run.id, {
    kind: 'stop',
    now,
    why: options.why ?? 'stopped by a person',
  });
  const isRecorded = holder === null && (await recordHere(site, run.id));
  if (options.json === true) printJson({ runId: run.id, controlId, isLive: holder !== null, isRecorded });
  else if (isRecorded) print(`Stopped the run ${run.id}.`);
  else
    print(
      `The driver of ${run.id} stops${now ? ' now' : ' when the running steps have ended; --now does not wait'}.`,
    );
  return 0;
}

/** The run has no driver to handle the stop, so we drive just long enough to record it. */
async function recordHere(site: Site, runId: string): Promise<boolean> {
  const { driveRun } = await import('#app/world.ts');
  const end = await driveRun(site, runId, {
    observers: [],
    leaveWhenParked: () => true,
    signal: new AbortController().signal,
  });
  return end.kind === 'ended';
}
