import type { JsonOption } from '#surfaces/cli/options/define-command.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { holderName, knownRuns, openHereToRead, unfinishedRuns } from '#surfaces/cli/open-here.ts';
import {
  sessionsOf,
  sessionsText,
  sessionStatsOf,
  sessionStatsText,
} from '#views/status/durable-sessions.ts';

export async function sessionStatusCommand(options: JsonOption): Promise<number> {
  const runs = await unfinishedRuns(await openHereToRead());
  const sessions = sessionsOf(runs.map(({ run, holder }) => ({ run, holder: holderName(holder) })));
  if (options.json === true) printJson(sessions);
  else print(sessionsText(sessions));
  return 0;
}

export async function sessionStatsCommand(options: JsonOption): Promise<number> {
  const runs = await knownRuns(await openHereToRead());
  const stats = sessionStatsOf(runs.map(({ run }) => run));
  if (options.json === true) printJson(stats);
  else print(sessionStatsText(stats));
  return 0;
}
