import { OperatorError } from '#base/operator-error.ts';
import { loadRun } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendQuietly } from '#surfaces/cli/send-control.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { wayOn } from '#views/status/again.ts';

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
  const sent = await sendQuietly(site, known, { kind: 'tell', text: text.trim() });
  const { run } = await loadRun(site, sent.runId);
  if (run.outcome !== null && !sent.isApplied)
    throw new OperatorError(
      'run-is-over',
      `The run ${run.id} ended before it received the message.`,
      wayOn(run),
    );
  if (options.json === true) printJson(sent);
  else print(inWords(run, sent.isLive));
  return 0;
}

function inWords(run: Run, isLive: boolean): string {
  if (!isLive)
    return `Run ${run.id} has no driver. Its next session gets the message: untildone resume ${run.id}`;
  const isBuilding = [...run.running.values()].some(({ deed }) => deed.kind === 'session' && !deed.readOnly);
  const when = isBuilding
    ? 'A session that can receive messages gets it now, any other with its next prompt.'
    : 'No builder session is running: the next one gets it. If none follows, the summary says so.';
  return `Message sent to run ${run.id}. ${when}`;
}
