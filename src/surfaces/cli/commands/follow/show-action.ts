import { print, printJson } from '#surfaces/cli/output.ts';
import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';
import { showAttentionItems } from '#surfaces/cli/show-attention-items.ts';
import { holderName } from '#surfaces/cli/open-here.ts';
import { forksLines } from '#views/lines/after-end.ts';
import { historyText } from '#views/lines/show.ts';
import { stateJson } from '#views/status/state-json.ts';
import { summaryText } from '#views/report/summary.ts';

export async function showCommand(
  name: string | undefined,
  options: { readonly json?: boolean; readonly check?: string },
): Promise<number> {
  const { forksOf, openStore, runFiles } = await import('#app/site.ts');
  const { site, run, holder } = await pickToRead(name, 'show');
  if (options.check !== undefined) {
    const { showCheck } = await import('./show-check.ts');
    return showCheck(site, run, options.check, options.json === true);
  }
  const { events } = await openStore(site).read(run.id);
  const forks = await forksOf(site, run.id);
  if (options.json === true) {
    printJson({ state: { ...stateJson(run, { holder: holderName(holder) }), forks }, events });
    return 0;
  }
  print(`Run ${run.id}: ${run.config.goal}\n`);
  print(historyText(events));
  const { isBranchGone } = await import('#app/git-of.ts');
  const place = {
    ...runFiles(site, run.id),
    holder: holderName(holder),
    isBranchGone: await isBranchGone(site, run),
  };
  print(`\n${summaryText(run, place)}`);
  for (const line of forksLines(forks)) print(line);
  await showAttentionItems(site, run, { isDriven: holder !== null });
  return 0;
}
