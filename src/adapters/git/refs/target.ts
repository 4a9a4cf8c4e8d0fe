// Finds the branch on which work lands, and its checkout.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, reading, split } from '#adapters/git/repo/git.ts';
import { operationIn } from '#adapters/git/repo/in-place.ts';
import { readRef } from './refs.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface Target {
  readonly branch: string;
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  /** The checkout that has the branch; null if none has. */
  readonly checkout: string | null;
}

/** Contract: changes nothing. */
export async function findTarget(git: Git, commonDir: string, branch: string): Promise<Target> {
  const ref = `refs/heads/${branch}`;
  const commit = await readRef(git, commonDir, ref);
  if (commit === null)
    throw new OperatorError(
      'no-branch',
      `There is no branch "${branch}" here.`,
      `Make it first, or name another one: git branch ${branch}`,
    );
  const tree = await git.tell(['rev-parse', `${commit}^{tree}`], { gitDir: commonDir });
  return { branch, ref, commit, tree, checkout: await checkoutOf(git, commonDir, ref) };
}

/** Contract: rejects unless the checkout is clean and no operation is in progress. */
export async function refuseUnclean(git: Git, { checkout, branch }: Target): Promise<void> {
  if (checkout === null) return;
  const gitDir = await git.tell(['rev-parse', '--absolute-git-dir'], { cwd: checkout });
  const operation = operationIn(gitDir);
  if (operation !== null)
    throw new OperatorError(
      'checkout-busy',
      `In the checkout of ${branch} at ${checkout}, a ${operation} is in progress.`,
      'Finish it or abort it first (`git status` says how); nothing was changed.',
    );
  const args = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=none'];
  const changed = split(await git.tell(args, { cwd: checkout, ...reading })).map((entry) => entry.slice(3));
  if (changed.length === 0) return;
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : '';
  throw new OperatorError(
    'checkout-dirty',
    `The checkout of ${branch} at ${checkout} has changes that are not committed: ${changed.slice(0, 3).join(', ')}${more}.`,
    'Commit or stash them first, or land on a branch that is not checked out (--branch); nothing was changed.',
  );
}

/** The checkout folder that has this ref, also during a rebase; null if none has. */
export async function checkoutOf(git: Git, commonDir: string, ref: string): Promise<string | null> {
  const listed = await git.tell(['worktree', 'list', '--porcelain', '-z'], { gitDir: commonDir, ...reading });
  for (const entry of listed.split('\0\0')) {
    const lines = entry.split('\0');
    const folder = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    if (folder === undefined || lines.includes('bare')) continue;
    if (lines.includes(`branch ${ref}`)) return folder;
    if (lines.includes('detached') && (await isRebasing(git, folder, ref))) return folder;
  }
  return null;
}

/** During a rebase a checkout is detached; its branch moves at the end. */
async function isRebasing(git: Git, folder: string, ref: string): Promise<boolean> {
  const answer = await git.ask(['rev-parse', '--absolute-git-dir'], { cwd: folder });
  if (answer.code !== 0) return false;
  for (const name of ['rebase-merge', 'rebase-apply']) {
    const head = await readFile(join(answer.stdout.trim(), name, 'head-name'), 'utf8').catch(() => '');
    if (head.trim() === ref) return true;
  }
  return false;
}
