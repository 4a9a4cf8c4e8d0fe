// Checks before a run whether the repository can take branches and commits.
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNotWritable, writeError } from '#adapters/files/io-error.ts';

/** The advice for an operation that needs a writable repository. */
export const otherRepository =
  'A run makes branches and commits, so it needs a repository that you may write to. Make it writable, or work in a clone of it.';

export async function refuseReadOnly(commonDir: string, wayOn = otherRepository): Promise<void> {
  const found = await findReadOnly(commonDir);
  if (found !== null) throw writeError(found.error, 'Branches and commits', found.path, wayOn);
}

/** Without a full stop; null if the repository is writable. */
export async function whyReadOnly(commonDir: string): Promise<string | null> {
  const found = await findReadOnly(commonDir);
  return found === null ? null : whyNotWritable(found.error);
}

/** Where git writes a new commit on a new branch; some ref formats lack some of these folders. */
const folders = ['', 'objects', 'refs', 'refs/heads'];

/** Contract: writes nothing. */
async function findReadOnly(commonDir: string): Promise<{ path: string; error: unknown } | null> {
  for (const folder of folders) {
    const path = join(commonDir, folder);
    try {
      await access(path, constants.W_OK);
    } catch (error) {
      if (whyNotWritable(error) !== null) return { path, error };
    }
  }
  return null;
}
