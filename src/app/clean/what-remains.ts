// Lists and removes what a run leaves behind. The journal and its copy stay, for `stats` and `export`.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keptRefs, removeRefs, removeRunBranch } from '#adapters/git/refs/run-refs.ts';
import { isCleanCheckoutOf, sweepCleanCheckouts } from '#adapters/git/checkouts/clean-checkout.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import {
  findAdmin,
  removeEmptyFolders,
  removeLinkedCheckout,
} from '#adapters/git/checkouts/linked-checkout.ts';
import { branchOf, readRef } from '#adapters/git/refs/refs.ts';
import { cacheDirOf, pathsOf, type Site, worktreeOf } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { sizeOf } from './disk-usage.ts';

export interface Remains {
  readonly what: 'worktree' | 'checkouts' | 'branch' | 'refs' | 'logs' | 'state';
  readonly bytes: number;
  /** Files, branches or refs. */
  readonly count: number;
}

/** What a cleaned run keeps, as the journal names it. A run without a commit has no statement. */
export function keptParts({ base, tip }: Run): readonly string[] {
  const hasCommit = tip !== null && tip.commit !== base?.commit;
  return ['journal', ...(hasCommit ? ['statements in refs/notes/untildone'] : [])];
}

/** Contract: changes nothing. Lists only what exists, so an empty list means that the run is clean. */
export async function remainsOf(site: Site, git: Git, run: Run): Promise<Remains[]> {
  const { commonDir } = site;
  const branch = await readRef(git, commonDir, `refs/heads/${branchOf(run.id)}`);
  const refs = await keptRefs(git, commonDir, run.id);
  const found: Remains[] = [
    await onDisk('worktree', await worktreePaths(site, run)),
    await onDisk('checkouts', await checkoutPaths(site, run.id)),
    { what: 'branch', bytes: 0, count: branch === null ? 0 : 1 },
    { what: 'refs', bytes: 0, count: refs.length },
    await onDisk('logs', await viewFolders(site, git, run.id)),
    await onDisk('state', await statePaths(site, run.id)),
  ];
  return found.filter(({ count }) => count > 0);
}

async function onDisk(what: Remains['what'], paths: readonly string[]): Promise<Remains> {
  const { bytes, files } = await sizeOf(paths);
  return { what, bytes, count: files };
}

/**
 * Contract: called under the run's lock, after `run-cleaned` was recorded. Idempotent, also after a kill.
 * Returns why the branch stays, as a phrase after "because"; null if it was removed.
 */
export async function removeRemains(site: Site, git: Git, run: Run): Promise<string | null> {
  const { commonDir } = site;
  const folder = worktreeOf(site, run.id);
  if (!run.config.repo.inPlace) {
    const readyFile = join(pathsOf(site).run(run.id).folder, 'index.ready');
    await removeLinkedCheckout({ commonDir, folder, readyFile });
    for (const path of await worktreePaths(site, run)) await remove(path);
    await removeEmptyFolders(folder);
  }
  await sweepCleanCheckouts({ cacheDir: cacheDirOf(site), runId: run.id, commonDir }, 'all');
  const stays = await removeRunBranch(git, commonDir, run.id, null);
  await removeRefs(git, commonDir, await keptRefs(git, commonDir, run.id));
  for (const path of await viewFolders(site, git, run.id)) await remove(path);
  for (const path of await statePaths(site, run.id)) await remove(path);
  return stays;
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** The folder of the checkout, and git's registration of it. In place, the checkout is the user's own. */
async function worktreePaths(site: Site, run: Run): Promise<string[]> {
  if (run.config.repo.inPlace) return [];
  const folder = worktreeOf(site, run.id);
  const admin = await findAdmin(site.commonDir, folder);
  const born = join(site.commonDir, 'worktrees', `untildone-${run.id}`);
  return [
    join(folder, '..'),
    ...(admin === null ? [] : [admin]),
    ...((await isHalfRemoved(born)) ? [born] : []),
  ];
}

/** A kill in the middle leaves a registration that no longer names its folder. */
async function isHalfRemoved(admin: string): Promise<boolean> {
  return existsSync(admin) && (await readFile(join(admin, 'gitdir'), 'utf8').catch(() => '')) === '';
}

async function checkoutPaths(site: Site, runId: string): Promise<string[]> {
  const folder = join(cacheDirOf(site), 'clean');
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => isCleanCheckoutOf(name, runId)).map((name) => join(folder, name));
}

/** In every checkout of the user: the run may have been started from another one. */
async function viewFolders({ root, commonDir }: Site, git: Git, runId: string): Promise<string[]> {
  const listed = await git.tell(['worktree', 'list', '--porcelain', '-z'], { gitDir: commonDir });
  const roots = listed.split('\0').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
  return [...new Set([root, ...roots])].map((each) => join(each, '.untildone', 'runs', runId));
}

/** Everything except the journal, its lock and the holder record, which names this process. */
async function statePaths(site: Site, runId: string): Promise<string[]> {
  const { folder } = pathsOf(site).run(runId);
  const stays = /^(?:journal\.jsonl|lock.*|holder\.json.*)$/;
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !stays.test(name)).map((name) => join(folder, name));
}
