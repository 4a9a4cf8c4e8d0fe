// Verifies the hashes of a tree's objects: git trusts their names, so a session could swap a test.
import { OperatorError } from '#base/operator-error.ts';
import { type Git, reading } from './git.ts';

/** Contract: rejects if a stored file or folder of the tree does not match its hash. */
export async function refuseForged(git: Git, gitDir: string, tree: string): Promise<void> {
  const args = ['rev-list', '--objects', '--verify-objects', '--quiet', tree];
  const { stderr } = await git.ask(args, { gitDir, ...reading });
  // Git continues after a mismatch and exits with success.
  const forged = /hash mismatch ([0-9a-f]+)/.exec(stderr)?.[1];
  if (forged === undefined) return;
  throw new OperatorError(
    'object-forged',
    `The object ${forged.slice(0, 12)} in this repository does not match its hash, so a checkout of it proves nothing.`,
    '`git fsck` lists such objects. Move them out of .git/objects and fetch them again from another clone.',
  );
}
