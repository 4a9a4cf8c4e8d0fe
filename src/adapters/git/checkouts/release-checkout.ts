// Removes a run's checkout and keeps its branch.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sweepCleanCheckouts } from './clean-checkout.ts';
import { frozenSettingsOf } from '#adapters/git/repo/frozen-settings.ts';
import type { Ground } from './context.ts';
import { removeEmptyFolders, removeLinkedCheckout } from './linked-checkout.ts';
import type { OwnCheckout } from './prepare.ts';
import { admittedFileOf, excludeFileOf } from '#adapters/git/trees/snapshot.ts';

interface Files {
  snapshot(): Promise<string>;
  keep(tree: string, name: string): Promise<string>;
}

/** Keeps uncommitted files as a tree before it removes them. A run in place keeps everything. */
export async function releaseCheckout(
  ground: Pick<Ground, 'cacheDir' | 'commonDir' | 'runId'>,
  own: OwnCheckout,
  files: Files,
): Promise<void> {
  const beside = ['.guards', '.ready', '.asked-locks'].map((ending) => own.indexFile + ending);
  const index = [own.indexFile, excludeFileOf(own.indexFile), admittedFileOf(own.indexFile)];
  index.push(frozenSettingsOf(own.indexFile));
  await sweepCleanCheckouts(ground, 'dead');
  if (!own.inPlace) {
    if (existsSync(own.root) && existsSync(own.indexFile))
      await files.keep(await files.snapshot(), 'released');
    await removeLinkedCheckout({ commonDir: ground.commonDir, folder: own.root, readyFile: own.readyFile });
    await removeEmptyFolders(own.root);
  }
  await mkdir(dirname(own.indexFile), { recursive: true });
  await Promise.all([...beside, ...index].map((path) => rm(path, { recursive: true, force: true })));
}
