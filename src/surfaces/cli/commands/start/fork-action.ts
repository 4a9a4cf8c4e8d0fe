import { raise } from '#config/flags.ts';
import type { MadeFork } from '#app/fork/fork-run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick/pick-run.ts';
import { openHere } from '#surfaces/cli/open-here.ts';
import { describeEvent } from '#views/lines/show.ts';
import { shortened } from '#views/words.ts';

export interface ForkOptions {
  readonly from?: string;
  readonly budget?: readonly string[];
  readonly json?: boolean;
}

export async function forkCommand(name: string | undefined, options: ForkOptions): Promise<number> {
  await refuseFromInside('untildone fork');
  const event = options.from === undefined ? null : eventOf(options.from);
  const budget = raise(options.budget ?? []) ?? {};
  const site = await openHere();
  const { run } = await pickRun(site, name, { command: 'fork', orNewest: true });
  const { forkRun } = await import('#app/fork/fork-run.ts');
  const onWait = (): void => printNote('Another command is starting a run here. Waiting for it.');
  const made = await forkRun(site, { runId: run.id, event, budget, onWait });
  if (options.json === true) printJson(jsonOf(made));
  else print(textOf(made));
  return 0;
}

function eventOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(
    'usage',
    `--from takes the number of an event, not "${text}".`,
    'The numbers are those of `untildone show`.',
  );
}

function jsonOf({ runId, forkedFrom, branch, budget, failed }: MadeFork) {
  return { runId, forkedFrom, branch, budget, failed, isStarted: false, next: nextOf(runId) };
}

function textOf({ runId, forkedFrom, last, events, isBeforeEnd, failed }: MadeFork): string {
  const { runId: old, event } = forkedFrom;
  return [
    `Run ${runId} is a fork of ${old}, from event ${event} of ${events}: ${shortened(describeEvent(last), 120)}`,
    ...(isBeforeEnd ? [`Run ${old} has ended, so its fork begins before the end.`] : []),
    ...failed.map((id) => `Task ${id} had failed by then. Retry it: untildone retry ${id} --run ${runId}`),
    'The fork has its own budget. It is not running yet.',
    `Continue with: ${nextOf(runId)}`,
  ].join('\n');
}

function nextOf(runId: string): string {
  return `untildone resume ${runId}`;
}
