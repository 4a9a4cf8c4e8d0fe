import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { showMatters } from '#surfaces/cli/show-matters.ts';
import { holderName, openHereToRead } from '#surfaces/cli/site.ts';
import { historyText } from '#views/show.ts';
import { stateJson } from '#views/state-json.ts';
import { summaryText } from '#views/summary.ts';

export async function showCommand(
  name: string | undefined,
  options: { readonly json?: boolean; readonly check?: string },
): Promise<number> {
  const { openStore, runFiles } = await import('#compose/site.ts');
  const site = await openHereToRead();
  const { run, holder } = await pickRun(site, name, { command: 'show', orNewest: true });
  if (options.check !== undefined) {
    const { showCheck } = await import('#surfaces/cli/show-check.ts');
    return showCheck(site, run, options.check, options.json === true);
  }
  const { events } = await (await openStore(site)).read(run.id);
  if (options.json === true) {
    printJson({ state: stateJson(run, { holder: holderName(holder) }), events });
    return 0;
  }
  print(`Run ${run.id}: ${run.config.goal}\n`);
  print(historyText(events));
  const { isBranchGone } = await import('#compose/branch-gone.ts');
  const place = {
    ...runFiles(site, run.id),
    holder: holderName(holder),
    isBranchGone: await isBranchGone(site, run),
  };
  print(`\n${summaryText(run, place)}`);
  await showMatters(site, run, { isDriven: holder !== null });
  return 0;
}
