// Repairs `shallow`, the list of where history ends: a shallow clone needs it, a session could hide history.
import type { Git } from '#adapters/git/repo/git.ts';
import type { GuardedFile } from './guarded-files.ts';
import { hasObject } from './refs.ts';

// Enough for a clone of thousands of branches.
const comparedMax = 2000;

/** The file as it should be; null for none. Cuts that hide no present commit come from the user's fetches. */
export async function settledShallow(
  git: Git,
  commonDir: string,
  { was, is }: { readonly was?: GuardedFile | undefined; readonly is?: GuardedFile | undefined },
): Promise<GuardedFile | null> {
  const [old, now] = [cutsOf(was), cutsOf(is)];
  const changed = [...old.symmetricDifference(now)].slice(0, comparedMax);
  const cuts = new Set(now);
  for (const commit of changed) {
    const isWhole = await hasParents(git, commonDir, commit);
    // A cut that hides present parents is removed; one that marks missing parents is restored.
    if (isWhole && now.has(commit)) cuts.delete(commit);
    if (!isWhole && old.has(commit)) cuts.add(commit);
  }
  const mode = (was ?? is)?.mode ?? 0o644;
  const base64 = Buffer.from([...cuts].map((commit) => `${commit}\n`).join('')).toString('base64');
  return cuts.size === 0 ? null : { path: 'shallow', mode, base64 };
}

export function isSameShallow(
  one: GuardedFile | null | undefined,
  other: GuardedFile | null | undefined,
): boolean {
  return cutsOf(one).symmetricDifference(cutsOf(other)).size === 0;
}

function cutsOf(file: GuardedFile | null | undefined): Set<string> {
  const text = Buffer.from(file?.base64 ?? '', 'base64').toString('utf8');
  return new Set(text.split('\n').filter((line) => line !== ''));
}

/** Reads the commit itself, because `cat-file` ignores the cuts. */
async function hasParents(git: Git, commonDir: string, commit: string): Promise<boolean> {
  const found = await git.ask(['cat-file', 'commit', commit], { gitDir: commonDir });
  if (found.code !== 0) return true;
  const head = found.stdout.split('\n\n')[0] ?? '';
  for (const [, parent = ''] of head.matchAll(/^parent ([0-9a-f]+)$/gm))
    if (!(await hasObject(git, commonDir, parent))) return false;
  return true;
}
