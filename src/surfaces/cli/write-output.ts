import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';

/** Returns the absolute path. `mode` is for files that other users should not read. */
export async function writeOutput(file: string, text: string, mode = 0o666): Promise<string> {
  const path = resolve(file);
  await writeFile(path, text, { mode }).catch((error: unknown) => refuse(path, error));
  return path;
}

/** Called before anything is paid for output that could not be written in the end. */
export async function refuseUnwritable(file: string): Promise<void> {
  const path = resolve(file);
  await access(dirname(path), constants.W_OK).catch((error: unknown) => refuse(path, error));
}

function refuse(path: string, error: unknown): never {
  throw new OperatorError(
    'cannot-write',
    `${path} cannot be written: ${error instanceof Error ? error.message : ''}`,
    'Name another file.',
  );
}
