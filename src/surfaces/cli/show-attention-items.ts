// Shows the open questions of a run on one screen: evidence, changes, and the commands to type.
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type AttentionItem, attentionItems } from '#views/questions/attention-items.ts';
import { attentionText } from '#views/questions/attention-text.ts';
import { answeredLines } from '#views/questions/said.ts';
import { print } from './output.ts';

interface ShowOptions {
  readonly isDriven: boolean;
  readonly isBelowStatus?: boolean;
}

export async function showAttentionItems(
  site: Site,
  run: Run,
  { isDriven, isBelowStatus = false }: ShowOptions,
): Promise<void> {
  const { baseReadsOf } = await import('#app/prove/base-reads.ts');
  for (const item of attentionItems(run)) {
    const change = await changeOf(site, item);
    const reads = item.kind === 'tampering' ? await baseReadsOf(site, run, item.taskId) : [];
    print(`\n${attentionText(run, item, { change, isDriven, isBelowStatus, reads })}`);
  }
  for (const line of isDriven ? [] : answeredLines(run)) print(`\n${line}`);
}

async function changeOf(site: Site, item: AttentionItem): Promise<string | null> {
  if (item.kind !== 'verdict' && item.kind !== 'tampering') return null;
  const { readTreeDiff } = await import('#app/site.ts');
  // A missing tree is no reason to hide the question.
  const found = await readTreeDiff(site, item.baseTree, item.tree).catch(() => null);
  return found?.stat ?? null;
}
