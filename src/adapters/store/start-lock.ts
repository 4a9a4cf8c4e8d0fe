// One start at a time in a repository: two equal commands must not both find no run and create one each.
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '#base/operator-error.ts';
import type { Holder } from '#ports/store.ts';
import { makeFolder } from '#adapters/files/files.ts';
import { readHolder, writeHolder } from './holder.ts';
import { otherStateHome, asWriteError } from '#adapters/files/io-error.ts';
import { type Lock, takeLock } from '#adapters/files/lock.ts';
import type { StorePaths } from './paths.ts';

/** A longer wait is reported. */
const quietMs = 1_000;
/** Creating a run takes a second; a process that holds the lock for longer was stopped. */
const waitMsMax = 120_000;
const stepMs = 50;

/** Contract: the lock is free when it resolves or rejects, and when this process dies. */
export async function withStartLock<T>(
  paths: StorePaths,
  act: () => Promise<T>,
  onWait: (holder: Holder | null) => void,
): Promise<T> {
  const refuse = asWriteError('The run', paths.root, otherStateHome);
  await makeFolder(paths.root).catch(refuse);
  const lock = await waitForLock(paths, onWait);
  try {
    await writeHolder(paths.startHolder, Date.now()).catch(refuse);
    return await act();
  } finally {
    await rm(paths.startHolder, { force: true }).catch(() => undefined);
    lock.release();
  }
}

async function waitForLock(paths: StorePaths, onWait: (holder: Holder | null) => void): Promise<Lock> {
  const begun = performance.now();
  for (let isReported = false; ;) {
    const lock = await takeLock(paths.startLock, otherStateHome);
    if (lock !== null) return lock;
    const waitedMs = performance.now() - begun;
    if (waitedMs > waitMsMax) throw lockedOut(paths, await readHolder(paths.startHolder));
    if (!isReported && waitedMs > quietMs) {
      isReported = true;
      onWait(await readHolder(paths.startHolder));
    }
    await pause(stepMs);
  }
}

function lockedOut(paths: StorePaths, holder: Holder | null): OperatorError {
  const who = holder === null ? 'Another command' : `Another command (pid ${holder.pid} on ${holder.host})`;
  return new OperatorError(
    'start-is-locked',
    `${who} has been starting a run here for ${waitMsMax / 1000} s and holds ${paths.startLock}.`,
    'End that process, or continue it if it is stopped, and start again.',
  );
}
