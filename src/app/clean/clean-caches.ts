// Removes shared files of runs and leftovers of `verify` and `probe`, once no run can need them.
import { errorCode } from '#base/error-code.ts';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sweepCleanCheckouts } from '#adapters/git/checkouts/clean-checkout.ts';
import { removeKilledDryRuns } from './killed-dry-runs.ts';
import { oneStartAtATime } from '#app/run/one-start.ts';
import { cacheDirOf, loadRun, openStore, type Site } from '#app/site.ts';
import { sizeOf, trialFolders } from './disk-usage.ts';

export interface CleanedCache {
  readonly what: 'cached dependencies' | 'logs of verify and probe';
  readonly bytes: number;
}

export interface CacheOrder {
  readonly olderMs: number | null;
  readonly isDryRun: boolean;
  /** No run of the repository is active or could be resumed. */
  readonly isIdle: boolean;
}

export async function cleanCaches(site: Site, order: CacheOrder): Promise<CleanedCache[]> {
  const trials = await olderIn(trialFolders(site), Math.max(order.olderMs ?? 0, trialMs), isDone);
  const dependencies = order.isIdle
    ? await olderIn([join(cacheDirOf(site), 'setup')], order.olderMs ?? 0)
    : [];
  const logBytes = (await sizeOf(trials)).bytes;
  if (!order.isDryRun) for (const path of trials) await removeTrial(site, path);
  const bytes = order.isDryRun
    ? (await sizeOf(dependencies)).bytes
    : await removeDependencies(site, dependencies);
  const found: CleanedCache[] = [
    { what: 'cached dependencies', bytes },
    { what: 'logs of verify and probe', bytes: logBytes },
  ];
  return found.filter((one) => one.bytes > 0);
}

/** Measured under the lock: of two commands only one reports it, and no run starts to copy from it. */
async function removeDependencies(site: Site, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  return oneStartAtATime(
    site,
    async () => {
      await removeKilledDryRuns(site);
      if (!(await areAllOver(site))) return 0;
      const { bytes } = await sizeOf(paths);
      for (const path of paths) await rm(path, { recursive: true, force: true, maxRetries: 3 });
      return bytes;
    },
    () => {},
  );
}

async function areAllOver(site: Site): Promise<boolean> {
  const store = openStore(site);
  for (const runId of await store.list())
    if ((await store.isEnded?.(runId)) !== true && (await loadRun(site, runId)).run.outcome === null)
      return false;
  return true;
}

/** Long enough for a trial in a container, whose process is not visible from here. */
const trialMs = 3_600_000;

async function olderIn(
  folders: readonly string[],
  ageMs: number,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for (const name of await readdir(folder).catch(() => [])) {
      const entry = await stat(join(folder, name)).catch(() => null);
      if (entry !== null && Date.now() - entry.mtimeMs >= ageMs && isWanted(name))
        found.push(join(folder, name));
    }
  return found;
}

/** `verify-4711-0a1b2c3d`: the name holds the pid of the process that works there. */
function isDone(name: string): boolean {
  const pid = Number(/^(?:verify|probe)-(\d+)-/.exec(name)?.[1] ?? 0);
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

async function removeTrial(site: Site, path: string): Promise<void> {
  const runId = basename(path);
  await sweepCleanCheckouts({ cacheDir: cacheDirOf(site), runId, commonDir: site.commonDir }, 'dead');
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
