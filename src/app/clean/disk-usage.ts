// Measures disk usage, in the same way for `clean` and `doctor`.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirOf, pathsOf, type Site, trialsOf } from '#app/site.ts';

export interface Size {
  readonly bytes: number;
  readonly files: number;
}

/** Contract: a missing path has size 0; hard links count once; symlinks are not followed. */
export async function sizeOf(paths: readonly string[]): Promise<Size> {
  const seen = new Set<string>();
  let bytes = 0;
  let files = 0;
  const walk = async (path: string): Promise<void> => {
    const found = await lstat(path).catch(() => null);
    if (found === null) return;
    if (found.isDirectory()) {
      for (const name of await readdir(path).catch(() => [])) await walk(join(path, name));
      return;
    }
    const id = `${found.dev}:${found.ino}`;
    if (found.nlink > 1 && seen.has(id)) return;
    seen.add(id);
    files += 1;
    // Counts the blocks that the disk really uses, if the system reports them: sparse and small files differ.
    bytes += found.blocks > 0 ? found.blocks * 512 : found.size;
  };
  for (const path of paths) await walk(path);
  return { bytes, files };
}

/** Disk usage of the runs of one repository. */
export interface DiskUsage {
  /** Journals, receipts, logs and views. */
  readonly state: number;
  readonly worktrees: number;
  /** Installed dependencies, maps, clean checkouts, and leftovers of `verify` and `probe`. */
  readonly caches: number;
  readonly total: number;
}

export async function diskUsage(site: Site): Promise<DiskUsage> {
  const { root, mirrors } = pathsOf(site);
  const [state, worktrees, caches] = await Promise.all([
    sizeOf([root, mirrors, join(site.viewsRoot, 'runs')]),
    sizeOf([join(site.stateHome, 'untildone', 'worktrees', site.repoId)]),
    sizeOf([cacheDirOf(site), ...trialFolders(site)]),
  ]);
  const total = state.bytes + worktrees.bytes + caches.bytes;
  return { state: state.bytes, worktrees: worktrees.bytes, caches: caches.bytes, total };
}

/** Where `verify` and `probe` work: one folder for each call. */
export function trialFolders(site: Site): string[] {
  return (['verify', 'probe'] as const).map((kind) => trialsOf(site, kind));
}
