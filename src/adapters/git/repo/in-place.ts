// Prepares a run that works in the user's own checkout.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { OperatorError } from '#base/operator-error.ts';
import { type Git, reading, split, createGit, type Environment } from './git.ts';
import type { Repository } from './repository.ts';

export interface InPlace {
  readonly git: Git;
  readonly repository: Repository;
  readonly branch: string;
  readonly baseCommit: string;
}

/** Rejects if a change of the user could be mistaken for the agent's work. */
export async function checkInPlace({ git, repository, branch, baseCommit }: InPlace): Promise<void> {
  if (await isOn(git, repository, branch)) return;
  const operation = operationIn(repository.gitDir);
  if (operation !== null) {
    throw new OperatorError(
      'checkout-busy',
      `A ${operation} is in progress in ${repository.root}.`,
      `Finish or abort the ${operation} first.`,
    );
  }
  const dirty = await dirtyPaths(git, repository);
  if (dirty.length > 0) {
    throw new OperatorError(
      'checkout-dirty',
      `The checkout has changes that are not committed: ${some(dirty)}.`,
      'Commit or stash them (`git stash -u`), or leave out --in-place to work in a separate checkout.',
    );
  }
  const head = await git.tell(['rev-parse', 'HEAD'], { cwd: repository.root, ...reading });
  if (head === baseCommit) return;
  throw new OperatorError(
    'checkout-moved',
    `The checkout is at ${head.slice(0, 12)}, but the run starts from ${baseCommit.slice(0, 12)}.`,
    `Go back with \`git switch --detach ${baseCommit.slice(0, 12)}\`, or start a new run.`,
  );
}

/** The branch is at the commit that is checked out, so no file and no index entry changes. */
export async function switchInPlace({ git, repository, branch }: InPlace): Promise<void> {
  if (await isOn(git, repository, branch)) return;
  const place = { cwd: repository.root, gitDir: repository.gitDir };
  await git.tell(['symbolic-ref', '-m', 'untildone: start', 'HEAD', `refs/heads/${branch}`], place);
}

/** The unfinished git operation of a checkout; null if there is none. */
export function operationIn(gitDir: string): string | null {
  return unfinished.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null;
}

/** The rebase comes first: it may contain a merge or a cherry-pick. */
const unfinished: readonly (readonly [string, string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

async function isOn(git: Git, repository: Repository, branch: string): Promise<boolean> {
  const place = { cwd: repository.root, gitDir: repository.gitDir };
  const head = await git.ask(['symbolic-ref', '--quiet', 'HEAD'], place);
  return head.stdout.trim() === `refs/heads/${branch}`;
}

/** Changed and untracked paths of the user's checkout; an untracked folder is one path with a final slash. */
export async function dirtyPaths(git: Git, repository: Pick<Repository, 'root'>): Promise<string[]> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal'];
  const status = split(await git.tell(args, { cwd: repository.root, ...reading }));
  // A file removed from the index but not from disk is listed twice: deleted and untracked.
  const paths = new Set(status.map((line) => line.slice(3)));
  return [...paths].filter((path) => !path.startsWith('.untildone/'));
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}

/** Paths that a run from a commit lacks, without those that match `copy`. Contract: changes nothing. */
export async function uncommittedPaths(
  repository: Pick<Repository, 'root' | 'commonDir'>,
  env: Environment,
  copy: readonly string[],
): Promise<string[]> {
  const paths = await dirtyPaths(createGit(repository.commonDir, env), repository);
  return paths.filter((path) => !copy.some((glob) => isCopied(glob, path)));
}

/** An untracked folder is one path: it counts as copied if the glob matches something in it. */
function isCopied(glob: string, path: string): boolean {
  if (!path.endsWith('/')) return picomatch.isMatch(path, glob, { dot: true });
  const { base } = picomatch.scan(glob);
  return `${base}/`.startsWith(path) || picomatch.isMatch(path.slice(0, -1), glob, { dot: true });
}
