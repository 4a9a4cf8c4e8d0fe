// A disk that is full, read-only or failing, by what git or the system says of it. Nothing that a session did is to blame.
import { errorCode } from '#base/error-code.ts';
import { OperatorError } from '#base/operator-error.ts';

export const storageCode = 'storage-failed';
/** A git that was ended by a signal of another program, or by our own time limit: the next one can do it. */
export const endedCode = 'git-ended';

/** Git repeats what the system says; we ask for it in English. */
const wordings = [
  'No space left on device',
  'Disk quota exceeded',
  'Read-only file system',
  'Input/output error',
  'Stale file handle',
  'Cannot allocate memory',
  'Too many open files',
  'insufficient permission for adding an object',
  'unable to create temporary file',
  'unable to write loose object file',
  'unable to write new index file',
  'error when closing loose object file',
];

const systemCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'ENOMEM', 'EMFILE', 'ENFILE']);

/** The line of git that names such a trouble; null where git names another one. */
export function storageLine(stderr: string): string | null {
  const line = stderr.split('\n').find((one) => wordings.some((wording) => one.includes(wording)));
  return line === undefined ? null : line.slice(0, 300);
}

export function isStorageTrouble(error: unknown): error is Error {
  if (error instanceof OperatorError) return error.code === storageCode || error.code === endedCode;
  return error instanceof Error && systemCodes.has(errorCode(error) ?? '');
}
