// Finds and removes the branch of a run and all objects kept for it.
import { checkoutOf } from './target.ts';
import { type Git, gitFailed } from '#adapters/git/repo/git.ts';
import { branchOf, keptRef, readRef, updateRef } from './refs.ts';

export interface KeptRef {
  readonly ref: string;
  readonly object: string;
  readonly tree: string;
}

/** All refs under `refs/untildone/RUN/`; a kept tree is its own tree. */
export async function keptRefs(git: Git, gitDir: string, runId: string): Promise<KeptRef[]> {
  const format = '--format=%(refname) %(objecttype) %(objectname) %(tree)';
  const listed = await git.tell(['for-each-ref', format, `${keptRef(runId)}/`], { gitDir });
  return listed.split('\n').flatMap((line) => {
    const [ref, type, object, tree] = line.split(' ');
    if (ref === undefined || object === undefined) return [];
    return [{ ref, object, tree: type === 'commit' ? (tree ?? '') : object }];
  });
}

/** Contract: removes all of them or rejects; each only if it has not changed. */
export async function removeRefs(git: Git, gitDir: string, refs: readonly KeptRef[]): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map(({ ref, object }) => `delete ${ref} ${object}\n`).join('');
  if ((await git.ask(['update-ref', '--no-deref', '--stdin'], { gitDir, input })).code === 0) return;
  // A killed git may have left a lock: delete one by one, past such locks.
  for (const { ref, object } of refs) {
    const answer = await updateRef(git, gitDir, ['--no-deref', '-d', ref, object]);
    if (answer.code !== 0 && (await readRef(git, gitDir, ref)) !== null)
      throw gitFailed(['update-ref'], answer);
  }
}

/** Null when it is removed; otherwise why it stays, in words that follow "because". */
export async function removeRunBranch(
  git: Git,
  gitDir: string,
  runId: string,
  /** The only commit that may be on it; null accepts any. */
  expected: string | null,
): Promise<string | null> {
  const ref = `refs/heads/${branchOf(runId)}`;
  const commit = await readRef(git, gitDir, ref);
  if (commit === null) return null;
  if (expected !== null && commit !== expected)
    return `it has moved to ${commit.slice(0, 12)}, which is not what the run made`;
  const checkout = await checkoutOf(git, gitDir, ref);
  if (checkout !== null) return `it is checked out at ${checkout}`;
  const answer = await updateRef(git, gitDir, ['-d', ref, commit]);
  if (answer.code === 0 || (await readRef(git, gitDir, ref)) === null) return null;
  throw gitFailed(['update-ref'], answer);
}

/** Whether a branch, remote branch or tag of the user contains the commit; branches of runs do not count. */
export async function isOnUsersRef(git: Git, gitDir: string, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--format=%(refname)', `--contains=${commit}`];
  const answer = await git.ask([...args, 'refs/heads', 'refs/remotes', 'refs/tags'], { gitDir });
  if (answer.code !== 0) return false;
  return answer.stdout
    .split('\n')
    .some((name) => name !== '' && !/^refs\/(?:heads|remotes\/[^/]+)\/untildone\//.test(name));
}
