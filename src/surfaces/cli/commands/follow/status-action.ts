import { pickToRead } from '#surfaces/cli/pick/pick-run.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { showAttentionItems } from '#surfaces/cli/show-attention-items.ts';
import { holderName } from '#surfaces/cli/open-here.ts';
import { forksLines } from '#views/lines/after-end.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statusText } from '#views/status/status.ts';
import { withPresentTime } from '#views/words.ts';

export async function statusCommand(
  name: string | undefined,
  options: { readonly json?: boolean },
): Promise<number> {
  const { site, run: known, holder } = await pickToRead(name, 'status');
  // How long a driver that died still worked is unknown.
  const run = holder === null ? known : withPresentTime(known, Date.now());
  const { forksOf } = await import('#app/site.ts');
  const forks = await forksOf(site, run.id);
  const { pollRecordsOf, wakeProblemOf } = await import('#app/waiting/wait-records.ts');
  const notWoken = run.outcome === null && holder === null ? await wakeProblemOf(site, run.id) : null;
  if (options.json === true) {
    const problem = notWoken === null ? {} : { notWoken };
    const reader = { holder: holderName(holder), polls: await pollRecordsOf(site, run.id) };
    printJson({ ...stateJson(run, reader), forks, holder, ...problem });
    return 0;
  }
  const { isBranchGone } = await import('#app/git-of.ts');
  const who = { holder: holderName(holder), isBranchGone: await isBranchGone(site, run) };
  print(statusText(run, { ...who, isAskedBelow: true }));
  for (const line of forksLines(forks)) print(line);
  if (notWoken !== null) print(`Not woken: ${notWoken}`);
  await showAttentionItems(site, run, { isDriven: holder !== null, isBelowStatus: run.tasks.size < 2 });
  return 0;
}
