import { OperatorError } from '#base/operator-error.ts';
import { dropControl } from '#app/controls/controls.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';

export interface TellOptions {
  readonly json?: boolean;
  readonly run?: string;
}

export async function tellCommand(text: string, options: TellOptions): Promise<number> {
  await refuseFromInside('untildone tell');
  if (text.trim() === '')
    throw new OperatorError(
      'nothing-to-tell',
      'The message is empty.',
      'For example: untildone tell "keep the old API"',
    );
  const { site, known } = await pickUnfinished(options.run, { command: 'tell "…" --run' });
  const { run, holder } = known;
  const controlId = await dropControl(site, run.id, { kind: 'tell', text: text.trim() });
  if (options.json === true) printJson({ runId: run.id, controlId, isLive: holder !== null });
  else
    print(
      `Message sent to run ${run.id}. A session that can receive messages gets it now, any other with its next prompt.`,
    );
  return 0;
}
