import { dropControl } from '#surfaces/cli/drop-control.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { pauseMessage } from '#surfaces/cli/interrupts.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { openHere } from '#surfaces/cli/site.ts';

export interface PauseOptions {
  readonly json?: boolean;
  readonly why?: string;
}

export async function pauseCommand(name: string | undefined, options: PauseOptions): Promise<number> {
  await refuseFromInside('untildone pause');
  const site = await openHere();
  const { run, holder } = await pickRun(site, name, { command: 'pause' });
  await refuseFinished(site, run);
  const controlId = await dropControl(site, run.id, {
    kind: 'pause',
    why: options.why ?? 'paused by a person',
  });
  if (options.json === true) printJson({ runId: run.id, controlId, isLive: holder !== null });
  else if (holder === null) print(`Nobody drives the run ${run.id} now; it stays paused when somebody does.`);
  else print(pauseMessage(run.id, run, '`untildone stop --now`'));
  return 0;
}
