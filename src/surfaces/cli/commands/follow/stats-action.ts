import { print, printJson } from '#surfaces/cli/output.ts';
import { knownRuns, openHereToRead } from '#surfaces/cli/open-here.ts';
import { statsOf, statsText } from '#views/status/stats.ts';

export async function statsCommand(options: { readonly json?: boolean }): Promise<number> {
  const runs = await knownRuns(await openHereToRead());
  const stats = statsOf(runs.map(({ run }) => run));
  if (options.json === true) printJson(stats);
  else print(statsText(stats));
  return 0;
}
