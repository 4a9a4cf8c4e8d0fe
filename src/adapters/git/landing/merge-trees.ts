// Merges two commits into a tree without a checkout. Touches nothing of the user's.
import { type Git, gitFailed, split } from '#adapters/git/repo/git.ts';

export type MergedTree =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Git's own text merge as a driver. A file that it cannot merge (binary) is a conflict, no failure. */
const textMerge = 'git merge-file -q --marker-size=%L %A %O %B || exit 1';
const textMergeVariable = 'UNTILDONE_MERGE_DRIVER';

/** Contract: no configured merge driver runs; attributes can choose git's own (`-merge`, `merge=union`). */
export async function mergeTrees(
  git: Git,
  gitDir: string,
  ours: string,
  theirs: string,
): Promise<MergedTree> {
  const drivers = await configuredDrivers(git, gitDir);
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const answer = await git.ask(
    [...drivers.map((name) => `--config-env=${name}=${textMergeVariable}`), ...args],
    { gitDir, settings: ['merge.default=text'], env: { [textMergeVariable]: textMerge } },
  );
  const [tree = '', ...paths] = split(answer.stdout);
  if (answer.code === 0) return { kind: 'clean', tree: tree.trim() };
  // Git also exits 1 for an unknown commit; a conflict always comes with a tree.
  if (answer.code === 1 && tree !== '') return { kind: 'conflict', paths: [...new Set(paths)] };
  throw gitFailed(['merge-tree'], answer);
}

/** Each driver is replaced: an empty command merges nothing, and git refuses a driver without one. */
async function configuredDrivers(git: Git, gitDir: string): Promise<readonly string[]> {
  const args = ['config', '-z', '--name-only', '--get-regexp', String.raw`^merge\..*\.driver$`];
  const answer = await git.ask(args, { gitDir });
  if (answer.code !== 0 && answer.code !== 1) throw gitFailed(['config'], answer);
  return [...new Set(split(answer.stdout))];
}

export async function isAncestor(git: Git, gitDir: string, old: string, young: string): Promise<boolean> {
  return (await git.ask(['merge-base', '--is-ancestor', old, young], { gitDir })).code === 0;
}
