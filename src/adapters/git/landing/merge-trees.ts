// A merge without any checkout: two commits in, one tree out. Nothing of the user's is touched.
import { type Git, gitFailed, split } from '#adapters/git/repo/git.ts';

export type MergedTree =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Git's own merge of text, as a merge driver. What it cannot merge, such as a binary file, is a conflict and no failure. */
const textMerge = 'git merge-file -q --marker-size=%L %A %O %B || exit 1';
const textMergeVariable = 'UNTILDONE_MERGE_DRIVER';

/** Contract: no configured merge driver runs; attributes may still ask for what is built into git (`-merge`, `merge=union`). */
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
  // Exit 1 is also git's answer about a commit that it does not know; a conflict always comes with a tree.
  if (answer.code === 1 && tree !== '') return { kind: 'conflict', paths: [...new Set(paths)] };
  throw gitFailed(['merge-tree'], answer);
}

/** Replaced one by one: an empty command is no merge, and git does not start at all where a driver lacks one. */
async function configuredDrivers(git: Git, gitDir: string): Promise<readonly string[]> {
  const args = ['config', '-z', '--name-only', '--get-regexp', String.raw`^merge\..*\.driver$`];
  const answer = await git.ask(args, { gitDir });
  if (answer.code !== 0 && answer.code !== 1) throw gitFailed(['config'], answer);
  return [...new Set(split(answer.stdout))];
}

export async function isAncestor(git: Git, gitDir: string, old: string, young: string): Promise<boolean> {
  return (await git.ask(['merge-base', '--is-ancestor', old, young], { gitDir })).code === 0;
}
