// A merge without any checkout: two commits in, one tree out. Nothing of the user's is touched.
import { type Git, gitFailed, split } from '#adapters/workspaces/git/git.ts';

export type MergedTree =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export async function mergeTrees(
  git: Git,
  gitDir: string,
  ours: string,
  theirs: string,
): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const answer = await git.ask(args, { gitDir });
  const [tree = '', ...paths] = split(answer.stdout);
  if (answer.code === 0) return { kind: 'clean', tree: tree.trim() };
  if (answer.code === 1) return { kind: 'conflict', paths: [...new Set(paths)] };
  throw gitFailed(['merge-tree'], answer);
}

export async function isAncestor(git: Git, gitDir: string, old: string, young: string): Promise<boolean> {
  return (await git.ask(['merge-base', '--is-ancestor', old, young], { gitDir })).code === 0;
}
