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
export async function findRepository(cwd: string, env: Environment): Promise<Repository> {
  // In parallel, because every run begins here; a git that is too old is reported first.
  const [version, repository] = [checkVersion(createGit(await enter(cwd), env)), findHere(cwd, env)] as const;
  await Promise.allSettled([version, repository]);
  await version;
  const { head, ...checkout } = await repository;
  if (head === null)
    throw new OperatorError(
      'repository-empty',
      'The repository has no commit yet.',
      'Make the first commit: `git add . && git commit -m "start"` (or `git commit --allow-empty -m "start"`).',
    );
  return { ...checkout, head };
}

/** Contract: as `findRepository`, by one git process; any version of git, and a repository without commits. */
export async function findRepositoryToRead(cwd: string, env: Environment): Promise<Repository> {
  const { head, ...checkout } = await findHere(cwd, env);
  if (head !== null) return { ...checkout, head };
  const git = createGit(checkout.root, env);
  const commit = await git.tell(['hash-object', '-t', 'tree', '/dev/null'], reading);
  return { ...checkout, head: { commit, branch: null } };
}

export type Checkout = Omit<Repository, 'head'>;

export async function findCheckout(cwd: string, env: Environment): Promise<Checkout> {
  const { head: _, ...checkout } = await findHere(cwd, env);
  return checkout;
}

const places = ['--is-bare-repository', '--is-inside-git-dir', '--is-inside-work-tree'];
const folders = ['--show-toplevel', '--git-common-dir', '--git-dir', '--show-prefix'];
const head = ['HEAD^{commit}', '--symbolic-full-name', 'HEAD'];
const absolute = '--path-format=absolute';

type Here = Checkout & { readonly head: Repository['head'] | null };

/** One call for all answers, because each costs a process. Git prints them in order, up to the one that fails. */
async function findHere(cwd: string, env: Environment): Promise<Here> {
  const folder = await enter(cwd);
  const git = createGit(folder, env);
  const args = ['rev-parse', ...places, absolute, ...folders, ...head];
  const answer = await git.ask(args, reading);
  const lines = answer.stdout.replace(/\n$/, '').split('\n');
  refuseOutside(folder, lines);
  // Without a commit, git repeats the question and fails.
  const asked = answer.code === 0 ? -1 : lines.lastIndexOf('HEAD^{commit}');
  if (answer.code !== 0 && asked < 0) throw placeError(folder, answer.stderr) ?? gitFailed(args, answer);
  const [commit, ref = ''] = asked < 0 ? lines.splice(-2) : [];
  if (asked >= 0) lines.splice(asked);
  // A path with a line break in it gives more lines.
  const [root = '', commonDir = '', gitDir = '', prefix = ''] =
    lines.length === places.length + folders.length
      ? lines.slice(places.length)
      : await Promise.all(folders.map((one) => git.tell(['rev-parse', absolute, one], reading)));
  return {
    root,
    commonDir,
    gitDir,
    prefix: prefix.replace(/\/$/, ''),
    head:
      commit === undefined
        ? null
        : { commit, branch: ref === 'HEAD' ? null : ref.replace(/^refs\/heads\//, '') },
  };
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
function refuseOutside(folder: string, lines: readonly string[]): void {
  const [isBare, isInsideGitDir, isInsideWorkTree] = lines.map((line) => line === 'true');
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
