// Recognizes a full, read-only or failing disk in errors of git or the system. No session is to blame for it.
import { errorCode } from '#base/error-code.ts';
import { OperatorError } from '#base/operator-error.ts';

export const storageCode = 'storage-failed';
/** Another program's signal or our time limit ended git: a retry can succeed. */
export const endedCode = 'git-ended';

/** Git repeats the system's message; we set the language to English. */
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

/** The line of git's output with a storage error; null for other errors. */
export function storageLine(stderr: string): string | null {
  const line = stderr.split('\n').find((one) => wordings.some((wording) => one.includes(wording)));
  return line === undefined ? null : line.slice(0, 300);
}

export function isStorageTrouble(error: unknown): error is Error {
  if (error instanceof OperatorError) return error.code === storageCode || error.code === endedCode;
  return error instanceof Error && systemCodes.has(errorCode(error) ?? '');
}
