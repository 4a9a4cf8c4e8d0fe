// Opens the worktree of a run that has no driver, and reads its files as a tree.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { frozenSettingsOf, withFrozenSettings } from '#adapters/git/repo/frozen-settings.ts';
import { markedEnvironment } from '#adapters/git/repo/git.ts';
import type { OwnCheckout } from '#adapters/git/checkouts/prepare.ts';
import { openSnapshot, type Snapshots } from '#adapters/git/trees/snapshot.ts';
import { runPathsOf, type Site, worktreeOf } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';

export interface RunWorktree {
  readonly own: OwnCheckout;
  /** Without ignored files and without files that the setup of the run made. */
  readonly files: Snapshots;
}

/** Null if there is none. In place, the checkout is the user's own. */
export function openRunWorktree(site: Site, { id, config }: Run): RunWorktree | null {
  const root = worktreeOf(site, id);
  if (config.repo.inPlace || !existsSync(root)) return null;
  const indexFile = join(runPathsOf(site, id).folder, 'index');
  const isFrozen = existsSync(frozenSettingsOf(indexFile));
  const env = markedEnvironment(isFrozen ? withFrozenSettings(site.env, indexFile) : site.env, `${id}/git`);
  const own = { root, indexFile, inPlace: false, readyFile: `${indexFile}.ready` };
  const files = openSnapshot({ root, indexFile, commonDir: site.commonDir, runId: id, inPlace: false }, env);
  return { own, files };
}
