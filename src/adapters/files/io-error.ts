// Translates errors of the operating system into one sentence and what to do about it.
import { errorCode } from '#base/error-code.ts';
import { errorText } from '#base/error-text.ts';
import { OperatorError } from '#base/operator-error.ts';

/**
 * Translates a failed write; our own errors pass unchanged. `wayOn` is the advice where writing is not
 * permitted, such as another state folder. It is given before a run begins, when there is none to resume.
 */
export function writeError(error: unknown, what: string, path: string, wayOn?: string): OperatorError {
  if (error instanceof OperatorError) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return diskFull(what, path, wayOn === undefined);
  const refused = whyNotWritable(error);
  if (refused !== null)
    return new OperatorError(
      'not-writable',
      `${what} could not be written to ${path}: ${refused}.`,
      wayOn ?? `Make it writable, ${goOn}`,
    );
  if (code === 'ENOTDIR')
    return new OperatorError(
      'write-failed',
      `${what} could not be written to ${path}: that is below a file.`,
      wayOn ?? `Make it writable, ${goOn}`,
    );
  return new OperatorError(
    'write-failed',
    `${what} could not be written to ${path}: ${errorText(error)}.`,
    `Check that path and its disk, ${wayOn === undefined ? goOn : startAgain}`,
  );
}

/** As `writeError`, for `catch`. */
export function asWriteError(what: string, path: string, wayOn?: string): (error: unknown) => never {
  return (error) => {
    throw writeError(error, what, path, wayOn);
  };
}

const goOn = 'then continue with `untildone resume`. Everything recorded is kept.';
const startAgain = 'then start the same command again.';

/** Null when the cause is not a missing permission. */
export function whyNotWritable(error: unknown): string | null {
  const code = errorCode(error);
  if (code === 'EROFS') return 'the file system is read-only';
  return isForbidden(error) ? 'writing there is not permitted' : null;
}

function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'EACCES' || code === 'EPERM';
}

/** The advice for a failed write before a run exists. */
export const otherStateHome = 'Make it writable, or set XDG_STATE_HOME to a folder that is.';

export function readError(error: unknown, what: string, path: string): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(
    'not-readable',
    `${what} could not be read from ${path}: ${isForbidden(error) ? 'reading there is not permitted' : errorText(error)}.`,
    'Make it readable and try again. Nothing was changed.',
  );
}

export function diskFull(what: string, path: string, isBegun = true): OperatorError {
  return new OperatorError(
    'disk-full',
    `${what} could not be written to ${path}: the disk, or your share of it, is full.`,
    `Free some space, ${isBegun ? goOn : startAgain}`,
  );
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
