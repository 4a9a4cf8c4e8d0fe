// Makes the landing commit and moves the target by compare-and-swap, with its files if it is checked out.
import { type Git, gitFailed } from '#adapters/git/repo/git.ts';
import { isSigning } from '#adapters/git/repo/identity.ts';
import { readRef } from '#adapters/git/refs/refs.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseUnclean, type Target } from '#adapters/git/refs/target.ts';

/** The user is the author, and it is signed if they sign: landing is the user's act. */
export async function makeLandingCommit(
  git: Git,
  commonDir: string,
  order: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
): Promise<string> {
  const sign = (await isSigning(git, { gitDir: commonDir })) ? ['-S'] : [];
  const parents = order.parents.flatMap((parent) => ['-p', parent]);
  const args = ['commit-tree', ...sign, order.tree, ...parents, '-F', '-'];
  return git.tell(args, { gitDir: commonDir, input: order.message });
}

/** Contract: moves the target from exactly where it was found, or rejects and touches nothing. */
export async function moveTarget(git: Git, commonDir: string, target: Target, commit: string): Promise<void> {
  await refuseMoved(git, commonDir, target);
  if (target.checkout === null) return swap(git, commonDir, target, commit);
  await refuseUnclean(git, target);
  // Git itself compares before it moves the branch, and does not overwrite untracked files.
  const args = ['merge', '--ff-only', '--no-autostash', '--no-stat', '--quiet', commit];
  const settings = (await isSparse(git, target.checkout)) ? ['core.sparseCheckout=true'] : [];
  const answer = await git.ask(args, { cwd: target.checkout, settings });
  if (answer.code === 0 && (await readRef(git, commonDir, target.ref)) === commit) return;
  await refuseMoved(git, commonDir, target);
  throw new OperatorError(
    'checkout-refused',
    `git could not bring the checkout at ${target.checkout} up to date: ${inTheWay(answer.stderr)}`,
    'Move the files that block it and land again; the branch has not moved.',
  );
}

/** Other calls to git disable sparse checkouts; this one writes the user's own checkout. */
async function isSparse(git: Git, cwd: string): Promise<boolean> {
  for (const where of ['--worktree', '--local']) {
    const answer = await git.ask(['config', where, '--type=bool', '--get', 'core.sparseCheckout'], { cwd });
    if (answer.code === 0) return answer.stdout.trim() === 'true';
  }
  return false;
}

async function swap(git: Git, commonDir: string, target: Target, commit: string): Promise<void> {
  const args = ['update-ref', '-m', 'untildone: land', target.ref, commit, target.commit];
  const answer = await git.ask(args, { gitDir: commonDir });
  if (answer.code === 0) return;
  await refuseMoved(git, commonDir, target);
  throw gitFailed(['update-ref'], answer);
}

async function refuseMoved(git: Git, commonDir: string, target: Target): Promise<void> {
  const now = await readRef(git, commonDir, target.ref);
  if (now === target.commit) return;
  throw new OperatorError(
    'target-moved',
    `The branch ${target.branch} ${now === null ? 'is gone' : `has moved to ${now.slice(0, 12)}`} while the work was being landed.`,
    'Nothing was changed. Land again: the merged files are then checked.',
  );
}

function inTheWay(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const files = stderr.split('\n').filter((line) => line.startsWith('\t'));
  const reason = lines.find((line) => /^(error|fatal):/.test(line)) ?? 'it gave no reason';
  return `${reason}${files.length === 0 ? '' : ` ${files.slice(0, 3).join(', ').replaceAll('\t', '')}`}`.slice(
    0,
    300,
  );
}
