import type { Site } from '#compose/site.ts';
import { dropControl } from '#surfaces/cli/drop-control.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { openHere } from '#surfaces/cli/site.ts';

export interface StopOptions {
  readonly json?: boolean;
  readonly now?: boolean;
  readonly why?: string;
}

export async function stopCommand(name: string | undefined, options: StopOptions): Promise<number> {
  await refuseFromInside('untildone stop');
  const site = await openHere();
  const { run, holder } = await pickRun(site, name, { command: 'stop' });
  await refuseFinished(site, run);
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
      `Told the driver of ${run.id} to stop${now ? ' now' : ' once what runs has ended; --now does not wait'}.`,
    );
  return 0;
}

/** Nobody is there to meet the stop, so we drive just long enough to write it down. */
async function recordHere(site: Site, runId: string): Promise<boolean> {
  const { driveRun } = await import('#compose.ts');
  const end = await driveRun(site, runId, {
    observers: [],
    leaveWhenParked: () => true,
    signal: new AbortController().signal,
  });
  return end.kind === 'ended';
}
