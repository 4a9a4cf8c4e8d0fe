// Where the repositories of this user are, by the id of their state: a run whose wake record is lost can still be found.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder, replaceFile, readSmallJson } from '#adapters/files/files.ts';
import { readRepoId } from '#adapters/store/repo-id.ts';

const bytesMax = 1 << 16;

export interface KnownRepository {
  readonly repoId: string;
  readonly root: string;
}

/** Contract: never rejects; a full disk costs the hint. */
export async function noteRepoRoot(
  stateHome: string,
  { repoId, root }: Pick<KnownRepository, 'repoId' | 'root'>,
): Promise<void> {
  try {
    const folder = join(stateHome, 'untildone', repoId);
    if ((await readRoot(folder)) === root) return;
    await makeFolder(folder);
    await replaceFile(join(folder, rootFile), `${JSON.stringify(root)}\n`);
  } catch {
    // As said above.
  }
}

/** Contract: never rejects; what cannot be read is left out. */
export async function readRepoRoots(stateHome: string): Promise<KnownRepository[]> {
  const home = join(stateHome, 'untildone');
  const names = (await readdir(home).catch(() => [])).filter((name) => /^[0-9a-f]{16}$/.test(name));
  const found: KnownRepository[] = [];
  for (const repoId of names) {
    const root = await readRoot(join(home, repoId));
    if (root !== null) found.push({ repoId, root });
  }
  return found;
}

const rootFile = '.root';

async function readRoot(folder: string): Promise<string | null> {
  const value = await readSmallJson(join(folder, rootFile), bytesMax);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Seen without git: `watch` asks that of many, and stays small. False when it was moved, deleted, or is not mounted. Contract: never rejects. */
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
