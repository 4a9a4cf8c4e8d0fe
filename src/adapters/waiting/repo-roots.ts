// Records where the user's repositories are, by state id, to find a run whose wake record is lost.
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
    // See the contract.
  }
}

/** Contract: never rejects; skips unreadable entries. */
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

/** Without git: `watch` checks many. False if moved, deleted or not mounted. Contract: never rejects. */
export async function isRepoAt({ root, repoId }: { root: string; repoId: string }): Promise<boolean> {
  try {
    return (await readRepoId(await commonDirOf(root))) === repoId;
  } catch {
    return false;
  }
}

/** `.git` is a folder or a file that names one; in a linked worktree, that names the common folder. */
async function commonDirOf(root: string): Promise<string> {
  const git = join(root, '.git');
  if ((await stat(git)).isDirectory()) return git;
  const named = /^gitdir: (.+)$/m.exec(await readFile(git, 'utf8'))?.[1] ?? '';
  const folder = resolve(root, named);
  const common = await readFile(join(folder, 'commondir'), 'utf8').catch(() => '.');
  return resolve(folder, common.trim());
}
