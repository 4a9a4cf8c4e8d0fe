// A linked worktree at a given folder: made, found again, or repaired after a crash at any point of making it.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#base/operator-error.ts';
import { type Git, type GitAnswer, gitFailed } from '#adapters/git/repo/git.ts';

// Some nine seconds in all; another git writes its registration in milliseconds.
const registrationTriesMax = 30;

export interface LinkedCheckout {
  readonly git: Git;
  readonly commonDir: string;
  readonly folder: string;
  /** Last part of a path beside `folder`, different for every checkout of the repository. */
  readonly birthName: string;
  /** Short name of the branch, which exists; null for a detached checkout of `commit`. */
  readonly branch: string | null;
  readonly commit: string;
  /** Written when the checkout was complete once, setup included. Without it nobody has worked there, and it may be made anew. */
  readonly readyFile: string;
  /** How it was filled, kept in the ready file. */
  readonly filledBy?: string;
  /** Runs after the files are there and before anybody works on them: dependencies, copies, submodules. */
  fill(admin: string): Promise<void>;
}

/** Returns the folder under `<common dir>/worktrees/` that belongs to the checkout. */
export async function ensureLinkedCheckout(wanted: LinkedCheckout): Promise<string> {
  const aside = `${wanted.folder}.aside`;
  if (existsSync(aside)) await bringBack(aside, wanted.folder);
  const isReady = existsSync(wanted.readyFile);
  const admin = await findAdmin(wanted.commonDir, wanted.folder);
  if (isReady && existsSync(wanted.folder)) {
    return admin === null ? registerAgain(wanted, aside) : relink(wanted, admin);
  }
  await removeLinkedCheckout(wanted);
  await mkdir(dirname(wanted.folder), { recursive: true });
  const made = await addAndMove(wanted);
  await wanted.fill(made);
  await writeFile(wanted.readyFile, `${wanted.commit}\n${wanted.filledBy ?? ''}`);
  return made;
}

/** Removes files and registration, whatever state they are in. Other worktrees of the user are not looked at. */
export async function removeLinkedCheckout(
  wanted: Pick<LinkedCheckout, 'commonDir' | 'folder' | 'readyFile'>,
): Promise<void> {
  const admin = await findAdmin(wanted.commonDir, wanted.folder);
  await rm(wanted.readyFile, { force: true });
  await removeFolder(wanted.folder);
  if (admin !== null) await removeFolder(admin);
}

/** The folders of the run and of the repository around a checkout that was removed: each goes if nothing else is in it. */
export async function removeEmptyFolders(checkout: string): Promise<void> {
  const ofRun = dirname(checkout);
  for (const folder of [ofRun, dirname(ofRun)]) await rmdir(folder).catch(() => undefined);
}

/** The registration that names this folder, read from the files themselves: the `.git` in the folder may be a lie. */
export async function findAdmin(commonDir: string, folder: string): Promise<string | null> {
  const all = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  for (const name of all) {
    const admin = join(commonDir, 'worktrees', name);
    const gitFile = await readFile(join(admin, 'gitdir'), 'utf8').catch(() => '');
    if (gitFile.trimEnd() === join(folder, '.git')) return admin;
  }
  return null;
}

/** Puts HEAD back on the branch and takes away locks and half-done merges that a killed git left. */
export async function settleAdmin(admin: string, branch: string): Promise<void> {
  const leftovers = (
    'index.lock HEAD.lock ORIG_HEAD.lock MERGE_HEAD MERGE_MSG MERGE_MODE CHERRY_PICK_HEAD REVERT_HEAD ' +
    'rebase-merge rebase-apply sequencer BISECT_LOG BISECT_START AUTO_MERGE'
  ).split(' ');
  await Promise.all(leftovers.map((name) => rm(join(admin, name), { recursive: true, force: true })));
  const head = `ref: refs/heads/${branch}\n`;
  const present = await readFile(join(admin, 'HEAD'), 'utf8').catch(() => '');
  if (present !== head) await writeFile(join(admin, 'HEAD'), head);
}

/**
 * Git names a registration after the last part of the path, and two at once that want the same name disturb each other.
 * So the checkout is born under a name of its own and moved to its place.
 */
async function addAndMove(wanted: LinkedCheckout): Promise<string> {
  const birth = join(dirname(wanted.folder), wanted.birthName);
  const born = { ...wanted, folder: birth };
  await removeLinkedCheckout(born);
  await add(born, []);
  const admin = await mustFindAdmin(born);
  await rename(birth, wanted.folder);
  await writeFile(join(admin, 'gitdir'), `${join(wanted.folder, '.git')}\n`);
  return admin;
}

async function add(wanted: LinkedCheckout, how: readonly string[]): Promise<void> {
  const target =
    wanted.branch === null ? ['--detach', wanted.folder, wanted.commit] : [wanted.folder, wanted.branch];
  const args = ['worktree', 'add', '--quiet', ...how, ...target];
  const answer = await askPatiently(wanted.git, args, wanted.commonDir);
  if (answer.code === 0) return;
  const taken = /already (?:checked out|used by worktree) at '(.*)'/.exec(answer.stderr);
  if (taken !== null) throw branchTaken(wanted.branch ?? '', taken[1] ?? '');
  throw gitFailed(['worktree add'], answer);
}

/** Git looks through all registrations, and stumbles over one that another git is writing at this very moment. */
async function askPatiently(git: Git, args: readonly string[], commonDir: string): Promise<GitAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await git.ask(args, { gitDir: commonDir });
    const isHalfWritten = /failed to read .*(commondir|gitdir|HEAD)/.test(answer.stderr);
    if (answer.code === 0 || !isHalfWritten || tries === registrationTriesMax) return answer;
    await sleep(20 * tries);
  }
}

function branchTaken(branch: string, where: string): OperatorError {
  return new OperatorError(
    'branch-taken',
    `The run's branch ${branch} is checked out at ${where}.`,
    `Switch that checkout to another branch, for example: git -C '${where}' switch -`,
  );
}

async function mustFindAdmin(wanted: LinkedCheckout): Promise<string> {
  const admin = await findAdmin(wanted.commonDir, wanted.folder);
  if (admin !== null) return admin;
  throw new OperatorError(
    'checkout-lost',
    `The checkout at ${wanted.folder} is not registered with git.`,
    'Start again.',
  );
}

/** The `.git` file may have been deleted, or replaced by a repository that the agent made: that one is moved out of the way. */
async function relink(wanted: LinkedCheckout, admin: string): Promise<string> {
  const gitFile = join(wanted.folder, '.git');
  const link = `gitdir: ${admin}\n`;
  const present = await readFile(gitFile, 'utf8').catch(() => '');
  if (present === link) return admin;
  // The repository was moved, and its old place is all that the link says.
  const isMoved = /^gitdir: .*\n$/.test(present) && basename(present.trimEnd()) === basename(admin);
  if (existsSync(gitFile) && !isMoved) await rename(gitFile, await freeName(join(admin, 'replaced-git')));
  await writeFile(gitFile, link);
  return admin;
}

/** The files are there but git forgot them (`git worktree prune` while the disk was away): registers them without touching one. */
async function registerAgain(wanted: LinkedCheckout, aside: string): Promise<string> {
  await rename(wanted.folder, aside);
  await add(wanted, ['--no-checkout', '--force']);
  const admin = await mustFindAdmin(wanted);
  await bringBack(aside, wanted.folder);
  await relink(wanted, admin);
  await wanted.git.tell(['read-tree', 'HEAD'], {
    gitDir: admin,
    workTree: wanted.folder,
    cwd: wanted.folder,
  });
  return admin;
}

async function bringBack(aside: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder);
}

async function freeName(path: string): Promise<string> {
  const taken = new Set(await readdir(dirname(path)));
  for (let number = 1; ; number += 1) {
    if (!taken.has(`${basename(path)}-${number}`)) return `${path}-${number}`;
  }
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
