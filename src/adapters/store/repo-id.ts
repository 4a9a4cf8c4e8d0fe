// The random id of a repository's state. It is in the git common dir, so that all worktrees share it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { createOnce, makeFolder, readIfThere } from '#adapters/files/files.ts';
import { readError, writeError } from '#adapters/files/io-error.ts';
import { otherRepository } from './writable.ts';

/** Contract: made once; concurrent processes get the same one. */
export async function ensureRepoId(commonDir: string): Promise<string> {
  const known = await readRepoId(commonDir);
  if (known !== null) return known;
  const file = repoIdFile(commonDir);
  const made = randomBytes(8).toString('hex');
  try {
    await makeFolder(join(commonDir, 'untildone'), 0o777);
    if (await createOnce(file, `${made}\n`, 0o644)) return made;
  } catch (error) {
    throw writeError(error, 'The id of this repository', file, otherRepository);
  }
  return ensureRepoId(commonDir);
}

/** Null when no run was ever started here. */
export async function readRepoId(commonDir: string): Promise<string | null> {
  const file = repoIdFile(commonDir);
  const content = await readIfThere(file).catch((error: unknown) => {
    throw readError(error, 'The id of this repository', file);
  });
  if (content === null) return null;
  const id = content.toString('latin1').trim();
  if (/^[0-9a-f]{16}$/.test(id)) return id;
  throw new OperatorError(
    'repo-id-damaged',
    `${file} does not hold the id of this repository.`,
    "Write the name of this repository's folder in the state folder into it, or delete it to start without the earlier runs.",
  );
}

function repoIdFile(commonDir: string): string {
  return join(commonDir, 'untildone', 'repo-id');
}
