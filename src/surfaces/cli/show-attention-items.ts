// Shows the open questions of a run on one screen: evidence, changes, and the commands to type.
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type AttentionItem, attentionItems } from '#views/questions/attention-items.ts';
import { attentionText } from '#views/questions/attention-text.ts';
import { saidLines } from '#views/questions/said.ts';
import { print } from './output.ts';

interface MattersShown {
  readonly isDriven: boolean;
  readonly isBelowStatus?: boolean;
}

export async function showAttentionItems(
  site: Site,
  run: Run,
  { isDriven, isBelowStatus = false }: MattersShown,
): Promise<void> {
  const { baseReadsOf } = await import('#app/prove/base-reads.ts');
  for (const matter of attentionItems(run)) {
    const change = await changeOf(site, matter);
    const reads = matter.kind === 'tampering' ? await baseReadsOf(site, run, matter.taskId) : [];
    print(`\n${attentionText(run, matter, { change, isDriven, isBelowStatus, reads })}`);
  }
  for (const line of isDriven ? [] : saidLines(run)) print(`\n${line}`);
}

async function changeOf(site: Site, matter: AttentionItem): Promise<string | null> {
  if (matter.kind !== 'verdict' && matter.kind !== 'tampering') return null;
  const { readTreeDiff } = await import('#app/site.ts');
  // A missing tree is no reason to hide the question.
  const found = await readTreeDiff(site, matter.baseTree, matter.tree).catch(() => null);
  return found?.stat ?? null;
}
