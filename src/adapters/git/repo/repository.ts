// Finds the repository, folder and commit where we were started.
import { realpath } from 'node:fs/promises';
import { OperatorError } from '#base/operator-error.ts';
import { createGit, type Environment, type Git, gitFailed, reading } from './git.ts';

export interface Repository {
  /** Root of the checkout in which we were started. */
  readonly root: string;
  readonly commonDir: string;
  /** Differs from `commonDir` in a linked worktree. */
  readonly gitDir: string;
  /** Start folder, relative to the root; '' is the root itself. */
  readonly prefix: string;
  /** For readers, the empty tree replaces the commit of a repository without commits. */
  readonly head: { readonly commit: string; readonly branch: string | null };
}

const versionMin = [2, 38] as const;

/** Contract: changes nothing; rejects with an OperatorError wherever a run is impossible. */
export async function findRepository(
  cwd: string,
  env: Environment,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Promise<Repository> {
  const git = createGit(await enter(cwd), env);
  // Run in parallel, because every command begins here; errors are reported in a sensible order.
  const [version, checkout, head] = [
    checkVersion(git),
    findCheckout(cwd, env),
    findHead(git, mayBeEmpty),
  ] as const;
  await Promise.allSettled([version, checkout, head]);
  await version;
  return { ...(await checkout), head: await head };
}

const places = ['--is-bare-repository', '--is-inside-git-dir', '--is-inside-work-tree'];
const folders = ['--show-toplevel', '--git-common-dir', '--git-dir', '--show-prefix'];
const absolute = '--path-format=absolute';

/** As `findRepository` for readers, without a commit; one call, because each costs a process. */
export async function findCheckout(cwd: string, env: Environment): Promise<Omit<Repository, 'head'>> {
  const folder = await enter(cwd);
  const git = createGit(folder, env);
  const args = ['rev-parse', ...places, absolute, ...folders];
  const answer = await git.ask(args, reading);
  const lines = answer.stdout.replace(/\n$/, '').split('\n');
  refuseOutside(folder, lines);
  if (answer.code !== 0) throw placeError(folder, answer.stderr) ?? gitFailed(args, answer);
  // A path with a line break in it gives more lines.
  const [root = '', commonDir = '', gitDir = '', prefix = ''] =
    lines.length === places.length + folders.length
      ? lines.slice(places.length)
      : await Promise.all(folders.map((one) => git.tell(['rev-parse', absolute, one], reading)));
  return { root, commonDir, gitDir, prefix: prefix.replace(/\/$/, '') };
}

async function enter(cwd: string): Promise<string> {
  try {
    return await realpath(cwd);
  } catch {
    throw new OperatorError(
      'folder-missing',
      `The folder ${cwd} does not exist.`,
      'Start in the folder of your repository.',
    );
  }
}

async function checkVersion(git: Git): Promise<void> {
  const text = await git.tell(['version'], reading);
  const [version = '', major = '0', minor = '0'] = /(\d+)\.(\d+)[\w.]*/.exec(text) ?? [];
  const isOld =
    Number(major) < versionMin[0] || (Number(major) === versionMin[0] && Number(minor) < versionMin[1]);
  if (isOld) {
    throw new OperatorError(
      'git-too-old',
      `git ${version} is too old.`,
      `Install git ${versionMin.join('.')} or newer.`,
    );
  }
}

/** Git prints these answers before it fails on the rest. */
function refuseOutside(folder: string, said: readonly string[]): void {
  const [isBare, isInsideGitDir, isInsideWorkTree] = said.map((line) => line === 'true');
  if (isBare === true) {
    throw new OperatorError(
      'repository-bare',
      `${folder} is a bare repository, without files to work on.`,
      'Start in a clone of it: `git clone <path>`.',
    );
  }
  if (isInsideGitDir === true || isInsideWorkTree === false) {
    throw new OperatorError(
      'inside-git-folder',
      `${folder} is inside a .git folder.`,
      'Start in the checkout itself, for example its parent folder.',
    );
  }
}

function placeError(folder: string, stderr: string): OperatorError | null {
  if (/not a git repository/i.test(stderr)) {
    return new OperatorError(
      'not-a-repository',
      `${folder} is not in a git repository.`,
      'Change to the folder of your repository; or create one with `git init` and commit the files.',
    );
  }
  if (/dubious ownership/i.test(stderr)) {
    return new OperatorError(
      'repository-foreign',
      `The repository at ${folder} belongs to another user, so git refuses to use it.`,
      `If you trust it: git config --global --add safe.directory '${folder}'`,
    );
  }
  return null;
}

async function findHead(git: Git, mayBeEmpty: boolean): Promise<Repository['head']> {
  const [head, branch] = await Promise.all([
    git.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], reading),
    git.ask(['symbolic-ref', '--quiet', '--short', 'HEAD'], reading),
  ]);
  if (head.code !== 0 && mayBeEmpty)
    return { commit: await git.tell(['hash-object', '-t', 'tree', '/dev/null'], reading), branch: null };
  if (head.code !== 0) {
    throw new OperatorError(
      'repository-empty',
      'The repository has no commit yet.',
      'Make the first commit: `git add . && git commit -m "start"` (or `git commit --allow-empty -m "start"`).',
    );
  }
  return { commit: head.stdout.trim(), branch: branch.code === 0 ? branch.stdout.trim() : null };
}
