// The store without a server: journals in the state folder, mirrored in the git common dir.
import { randomBytes } from 'node:crypto';
import { rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#base/error-code.ts';
import type { Event } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Holder, Journal, Reading, Store } from '#ports/store.ts';
import { endsInTail } from '#adapters/store/journal/ended.ts';
import { makeFolder, syncFolder, writeSynced } from '#adapters/files/files.ts';
import { readHolder, writeHolder, readLivingHolder } from './holder.ts';
import { otherStateHome, writeError, asWriteError } from '#adapters/files/io-error.ts';
import { encodeEntry, nextEpoch, openJournal } from '#adapters/store/journal/journal.ts';
import { encodeLine } from '#adapters/store/journal/line.ts';
import { listRuns } from '#adapters/store/journal/list.ts';
import { type Lock, takeLock } from '#adapters/files/lock.ts';
import { type RunPaths, type StorePaths, runFolders } from './paths.ts';
import { exists, readRun, readRunAfter, recover } from '#adapters/store/journal/recover.ts';

export interface StoreOptions {
  /** Receives sentences about problems that do not stop a run. */
  onNote?(text: string): void;
}

export function createEmbeddedStore(paths: StorePaths, options: StoreOptions = {}): Store {
  const known = async (runId: string): Promise<RunPaths> => {
    const run = paths.run(runId);
    if (await exists(run, paths)) return run;
    throw new OperatorError(
      'no-such-run',
      `There is no run ${runId} in this repository.`,
      '`untildone status` lists the runs.',
    );
  };
  return {
    create: (runId, events, { isHeld = false } = {}) =>
      createRun(paths, paths.run(runId), [events], async (draft) => {
        if (isHeld) await writeHolder(join(draft, basename(paths.run(runId).holder)), Date.now());
      }),
    list: () => listRuns(paths),
    read: async (runId): Promise<Reading> => readRun(await known(runId), paths),
    readAfter: async (runId, position) => readRunAfter(await known(runId), paths, position),
    isEnded: (runId) => endsInTail(paths.run(runId).journal),
    holder: async (runId) => {
      const { holder, lock } = paths.run(runId);
      return readLivingHolder(holder, lock);
    },
    open: async (runId) => openRun(paths, await known(runId), options),
  };
}

/**
 * Contract: as `create`, with one append for each of `entries`. `fill` adds files before the folder becomes a
 * run; if it rejects, there is no run.
 */
export async function createFilledRun(
  paths: StorePaths,
  runId: string,
  entries: readonly (readonly Event[])[],
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  return createRun(paths, paths.run(runId), entries, fill);
}

/** Made beside and renamed into place: a run exists whole or not at all. */
async function createRun(
  paths: StorePaths,
  run: RunPaths,
  entries: readonly (readonly Event[])[],
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const lines = linesOf(entries);
  const draft = join(paths.root, `.creating-${randomBytes(6).toString('hex')}`);
  try {
    if (await exists(run, paths)) throw runExists(run);
    for (const folder of runFolders(run)) {
      const inDraft = folder === run.folder ? draft : join(draft, basename(folder));
      await makeFolder(inDraft);
    }
    await fill(draft);
    await writeSynced(join(draft, basename(run.journal)), lines);
    await syncFolder(draft);
    await rename(draft, run.folder).catch((error: unknown) => {
      throw isTaken(error) ? runExists(run) : error;
    });
    await syncFolder(paths.root);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw writeError(error, `Run ${run.runId}`, run.folder, otherStateHome);
  }
}

function linesOf(entries: readonly (readonly Event[])[]): Buffer {
  let epoch = 0;
  const lines = entries.map((events, index) => {
    epoch = nextEpoch(epoch, events);
    return encodeLine(encodeEntry(index + 1, epoch, events));
  });
  return Buffer.concat(lines);
}

function isTaken(error: unknown): boolean {
  return errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST';
}

async function openRun(
  paths: StorePaths,
  run: RunPaths,
  options: StoreOptions,
): Promise<Journal | { readonly heldBy: Holder }> {
  // Its subfolders only under the lock: the holder may be removing files of a finished run.
  await makeFolders(run, [run.folder]);
  const lock = await takeLock(run.lock);
  if (lock === null) return { heldBy: await waitForHolder(run.holder) };
  try {
    await writeHolder(run.holder, Date.now()).catch(asWriteError('The name of the driver', run.holder));
    await makeFolders(run, runFolders(run));
    const recovered = await recover(run, paths, (text) => options.onNote?.(text));
    return await openJournal({ file: run.journal, ...recovered, release: () => release(lock, run) });
  } catch (error) {
    await release(lock, run);
    throw error;
  }
}

async function release(lock: Lock, run: RunPaths): Promise<void> {
  await unlink(run.holder).catch(() => undefined);
  lock.release();
}

/** A run restored from its mirror or made by an older version may lack some. */
async function makeFolders(run: RunPaths, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await makeFolder(folder).catch(asWriteError(`Run ${run.runId}`, folder));
}

/** A driver that just took the lock has not written its record yet. */
async function waitForHolder(file: string): Promise<Holder> {
  for (let tries = 0; tries < 10; tries += 1) {
    const holder = await readHolder(file);
    if (holder !== null) return holder;
    await pause(20);
  }
  const { mtimeMs } = await stat(dirname(file)).catch(() => ({ mtimeMs: 0 }));
  return { pid: 0, host: 'an unknown host', since: mtimeMs };
}

function runExists(run: RunPaths): OperatorError {
  return new OperatorError(
    'run-exists',
    `Run ${run.runId} already exists in this repository.`,
    `Continue it: \`untildone resume ${run.runId}\`, or choose another id.`,
  );
}
