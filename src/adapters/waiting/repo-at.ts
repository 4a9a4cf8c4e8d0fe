// Whether a repository is still where it was, seen without git: `watch` asks that of many, and stays small.
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readRepoId } from '#adapters/store/repo-id.ts';

/** False when it was moved, deleted, or is not mounted. Contract: never rejects. */
export async function isRepoAt({ root, repoId }: { root: string; repoId: string }): Promise<boolean> {
  try {
    return (await readRepoId(await commonDirOf(root))) === repoId;
  } catch {
    return false;
  }
}

/** `.git` is a folder, or a file that names one; that of a linked worktree names the common one in turn. */
async function commonDirOf(root: string): Promise<string> {
  const git = join(root, '.git');
  if ((await stat(git)).isDirectory()) return git;
  const named = /^gitdir: (.+)$/m.exec(await readFile(git, 'utf8'))?.[1] ?? '';
  const folder = resolve(root, named);
  const common = await readFile(join(folder, 'commondir'), 'utf8').catch(() => '.');
  return resolve(folder, common.trim());
}
