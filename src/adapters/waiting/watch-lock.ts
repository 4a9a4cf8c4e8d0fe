// One `untildone watch` per user: its lock, its process, and the variable names that it can pass to runs.
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile, readSmallJson } from '#adapters/files/files.ts';
import { readHolder, writeHolder, readLivingHolder } from '#adapters/store/holder.ts';
import { takeLock } from '#adapters/files/lock.ts';
import type { Holder } from '#ports/store.ts';

const bytesMax = 1 << 20;

export interface LivingWatch extends Holder {
  /** Names of its variables, without values. */
  readonly variables: readonly string[];
}

function watchFiles(stateHome: string) {
  const folder = join(stateHome, 'untildone');
  return {
    folder,
    lock: join(folder, 'watch-lock'),
    holder: join(folder, 'watch-holder.json'),
    variables: join(folder, 'watch-variables.json'),
  };
}

/** Contract: one of several concurrent processes holds it, until it releases it or dies. */
export async function takeWatchLock(
  stateHome: string,
  variables: readonly string[],
): Promise<{ release(): Promise<void> } | { readonly heldBy: Holder | null }> {
  const files = watchFiles(stateHome);
  await makeFolder(files.folder);
  const lock = await takeLock(files.lock);
  if (lock === null) return { heldBy: await readHolder(files.holder) };
  // If the disk is full, the names are missing: drivers then stay instead of leaving.
  await replaceFile(files.variables, `${JSON.stringify(variables)}\n`).catch(() => undefined);
  await writeHolder(files.holder, Date.now()).catch(() => undefined);
  return {
    async release() {
      await unlink(files.holder).catch(() => undefined);
      lock.release();
    },
  };
}

/** Null if none lives. Contract: never rejects; reads one small file if none does. */
export async function livingWatch(stateHome: string): Promise<LivingWatch | null> {
  const files = watchFiles(stateHome);
  const holder = await readLivingHolder(files.holder, files.lock);
  if (holder === null) return null;
  const names = await readSmallJson(files.variables, bytesMax);
  return {
    ...holder,
    variables: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
  };
}
