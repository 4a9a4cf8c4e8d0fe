// One driver per run, by an exclusive SQLite transaction on an empty database. The kernel frees it when its
// process dies, for any reason. It holds across pid namespaces, and a stopped process keeps it.
import { access, chmod, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '#base/error-text.ts';
import { OperatorError } from '#base/operator-error.ts';
import { asWriteError } from './io-error.ts';

export interface Lock {
  release(): void;
}

/** Long enough for two simultaneous drivers to settle which one gets the lock. */
const waitMs = 100;
const sqliteBusy = 5;
const sqliteNotADatabase = 26;

/**
 * Null when another driver holds it; `wayOn` as for `writeError`. Contract: no other code in this process
 * opens the lock file, because closing any descriptor of it would free the lock (POSIX locks work that way).
 */
export async function takeLock(file: string, wayOn?: string): Promise<Lock | null> {
  await access(dirname(file), constants.W_OK).catch(asWriteError('The lock of the run', file, wayOn));
  // Loaded lazily: reading a run needs no lock.
  const { DatabaseSync } = await import('node:sqlite');
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { timeout: waitMs });
    database.exec('BEGIN EXCLUSIVE');
    await chmod(file, 0o600);
  } catch (error) {
    database?.close();
    if (codeIn(error) === sqliteBusy) return null;
    // A held lock reports busy whatever its content, so no process holds this one.
    throw codeIn(error) === sqliteNotADatabase ? await damaged(file) : cannotLock(file, error);
  }
  const held = database;
  return { release: () => held.close() };
}

/** Without the extended code that SQLite adds in the higher bytes. */
function codeIn(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : null;
}

/** An exclusive transaction without a write leaves the file empty. */
async function damaged(file: string): Promise<OperatorError> {
  const { size } = await stat(file);
  return new OperatorError(
    'lock-damaged',
    `The lock file ${file} is damaged: it must be empty and has ${size} bytes.`,
    `No process holds it. Remove it and start again: rm '${file}'`,
  );
}

function cannotLock(file: string, error: unknown): OperatorError {
  return new OperatorError(
    'cannot-lock',
    `The lock ${file} cannot be taken: ${errorText(error)}.`,
    'Set XDG_STATE_HOME to a folder on a local disk that you may write to; some network file systems have no locks.',
  );
}
