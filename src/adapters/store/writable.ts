// Whether the repository can take branches and commits, asked before anything is made.
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNotWritable, writeError } from '#adapters/files/io-error.ts';

/** For what needs a repository that can be written and does not have one yet. */
export const otherRepository =
  'A run makes branches and commits, so it needs a repository that you may write to: make it writable, or work in a clone of it.';

export async function refuseReadOnly(commonDir: string, wayOn = otherRepository): Promise<void> {
  const found = await findReadOnly(commonDir);
  if (found !== null) throw writeError(found.error, 'Branches and commits', found.path, wayOn);
}

/** Without a full stop; null where the repository can be written. */
export async function whyReadOnly(commonDir: string): Promise<string | null> {
  const found = await findReadOnly(commonDir);
  return found === null ? null : whyNotWritable(found.error);
}

/** Where git writes for a new commit on a new branch; not every format of refs has every folder. */
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
