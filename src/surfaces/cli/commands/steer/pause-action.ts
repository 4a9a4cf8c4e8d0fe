import { dropControl } from '#app/controls/controls.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { pauseMessage } from '#surfaces/cli/drive/interrupts.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';

export interface PauseOptions {
  readonly json?: boolean;
  readonly now?: boolean;
  readonly why?: string;
}

export async function pauseCommand(name: string | undefined, options: PauseOptions): Promise<number> {
  await refuseFromInside('untildone pause');
  const { site, known } = await pickUnfinished(name, { command: 'pause' });
  const { run, holder } = known;
  const isNow = options.now === true;
  const controlId = await dropControl(site, run.id, {
    kind: 'pause',
    why: options.why ?? 'paused by a person',
    ...(isNow ? { now: true } : {}),
  });
  if (options.json === true) printJson({ runId: run.id, controlId, isLive: holder !== null });
  else if (holder === null) print(`Run ${run.id} has no driver; it will stay paused when one starts.`);
  else print(pauseMessage(run.id, run, { isNow }));
  return 0;
}
