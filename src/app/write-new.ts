// Writes a file that a command makes for the user, in the user's own checkout.
import { dirname } from 'node:path';
import { errorCode } from '#base/error-code.ts';
import { makeFolder, writeSynced } from '#adapters/files/files.ts';
import { writeError } from '#adapters/files/io-error.ts';

/** False if the file exists. Contract: never overwrites, not even a file that appeared a moment ago. */
export async function writeNew(path: string, text: string, wayOn: string): Promise<boolean> {
  try {
    await makeFolder(dirname(path), 0o777);
    await writeSynced(path, text, 0o666);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw writeError(error, 'The file', path, wayOn);
  }
}
