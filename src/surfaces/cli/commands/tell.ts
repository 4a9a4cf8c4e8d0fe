import { OperatorError } from '#ports/operator-error.ts';
import { dropControl } from '#surfaces/cli/drop-control.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { openHere } from '#surfaces/cli/site.ts';

export interface TellOptions {
  readonly json?: boolean;
  readonly run?: string;
}

export async function tellCommand(text: string, options: TellOptions): Promise<number> {
  await refuseFromInside('untildone tell');
  if (text.trim() === '')
    throw new OperatorError(
      'nothing-to-tell',
      'There is nothing to tell.',
      'For example: untildone tell "keep the old API"',
    );
  const site = await openHere();
  const { run, holder } = await pickRun(site, options.run, { command: 'tell "…" --run' });
  await refuseFinished(site, run);
  const controlId = await dropControl(site, run.id, { kind: 'tell', text: text.trim() });
  if (options.json === true) printJson({ runId: run.id, controlId, isLive: holder !== null });
  else
    print(
      `Told the run ${run.id}. A session that listens hears it now, every other one with the next prompt.`,
    );
  return 0;
}
