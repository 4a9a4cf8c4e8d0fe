// One driver per run: an exclusive SQLite transaction on an empty database, which the kernel frees when its process dies,
// whatever killed it, and which holds across pid namespaces. A stopped holder still holds it.
import { access, chmod, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '#ports/operator-error.ts';
import { reasonOf, writeError } from './io-error.ts';

export interface Lock {
  release(): void;
}

/** Long enough for two who come at the same moment to sort out which one it is. */
const waitMs = 100;
const sqliteBusy = 5;

/**
 * Null when another driver holds it. Contract: nobody else in this process opens the lock file; closing any other
 * descriptor of it would free the lock (that is how POSIX locks are).
 */
export async function takeLock(file: string): Promise<Lock | null> {
  await access(dirname(file), constants.W_OK).catch((error: unknown) => {
    throw writeError(error, 'The lock of the run', file);
  });
  // Loaded only when a run is driven: reading one needs no lock.
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { timeout: waitMs });
    database.exec('BEGIN EXCLUSIVE');
    await chmod(file, 0o600);
  } catch (error) {
    database?.close();
    if (isBusy(error)) return null;
    throw cannotLock(file, error);
  }
  const held = database;
  return { release: () => held.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === sqliteBusy;
}

function cannotLock(file: string, error: unknown): OperatorError {
  return new OperatorError(
    'cannot-lock',
    `The run cannot be locked with ${file}: ${reasonOf(error)}.`,
    'Set XDG_STATE_HOME to a folder on a local disk that you may write to; some network file systems have no locks.',
  );
}
