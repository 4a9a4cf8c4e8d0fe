import { pickRun } from '#surfaces/cli/pick-run.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { showMatters } from '#surfaces/cli/show-matters.ts';
import { holderName, openHereToRead } from '#surfaces/cli/site.ts';
import { stateJson } from '#views/state-json.ts';
import { statusText } from '#views/status.ts';
import { withPresentTime } from '#views/words.ts';

export async function statusCommand(
  name: string | undefined,
  options: { readonly json?: boolean },
): Promise<number> {
  const site = await openHereToRead();
  const { run: known, holder } = await pickRun(site, name, { command: 'status', orNewest: true });
  // Nobody knows how long a driver that died still worked.
  const run = holder === null ? known : withPresentTime(known, Date.now());
  if (options.json === true) {
    printJson({ ...stateJson(run, { holder: holderName(holder) }), holder });
    return 0;
  }
  const { isBranchGone } = await import('#compose/branch-gone.ts');
  const who = { holder: holderName(holder), isBranchGone: await isBranchGone(site, run) };
  print(statusText(run, { ...who, isAskedBelow: true }));
  await showMatters(site, run, { isDriven: holder !== null, isBelowStatus: run.tasks.size < 2 });
  return 0;
}
