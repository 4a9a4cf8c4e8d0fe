// A linked worktree at a given folder: made, found again, or repaired after a crash at any point.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '#base/operator-error.ts';
import { type Git, type GitAnswer, gitFailed } from '#adapters/git/repo/git.ts';

// About nine seconds in total; another git writes its registration in milliseconds.
const registrationTriesMax = 30;

export interface LinkedCheckout {
  readonly git: Git;
  readonly commonDir: string;
  readonly folder: string;
  /** The folder name at creation, beside `folder`; unique among the checkouts of the repository. */
  readonly birthName: string;
  /** Short name of an existing branch; null for a detached checkout of `commit`. */
  readonly branch: string | null;
  readonly commit: string;
  /** Written once the checkout and its setup are complete. Without it there was no work: it may be remade. */
  readonly readyFile: string;
  /** The setup that filled it, kept in the ready file. */
  readonly filledBy?: string;
  /** Runs once the files are there, before any work on them: dependencies, copies, submodules. */
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

/** Removes files and registration in any state. Does not touch other worktrees of the user. */
export async function removeLinkedCheckout(
  wanted: Pick<LinkedCheckout, 'commonDir' | 'folder' | 'readyFile'>,
): Promise<void> {
  const admin = await findAdmin(wanted.commonDir, wanted.folder);
  await rm(wanted.readyFile, { force: true });
  await removeFolder(wanted.folder);
  if (admin !== null) await removeFolder(admin);
}

/** Removes the folders of the run and of the repository around a removed checkout, if they are empty. */
export async function removeEmptyFolders(checkout: string): Promise<void> {
  const ofRun = dirname(checkout);
  for (const folder of [ofRun, dirname(ofRun)]) await rmdir(folder).catch(() => undefined);
}

/** Reads the registrations themselves, because an agent can change the `.git` file of the folder. */
export async function findAdmin(commonDir: string, folder: string): Promise<string | null> {
  const all = await readdir(join(commonDir, 'worktrees')).catch(() => []);
  for (const name of all) {
    const admin = join(commonDir, 'worktrees', name);
    const gitFile = await readFile(join(admin, 'gitdir'), 'utf8').catch(() => '');
    if (gitFile.trimEnd() === join(folder, '.git')) return admin;
  }
  return null;
}

/** Puts HEAD back on the branch and removes the locks and half-done merges of a killed git. */
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
 * Git names a registration after the last part of the path, and two concurrent ones of one name collide. So
 * the checkout is created under a unique name and moved to its place.
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

/** Git reads all registrations and fails on one that another git is writing. */
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

/** The `.git` file may be gone, or an agent's own repository: that one is moved aside. */
async function relink(wanted: LinkedCheckout, admin: string): Promise<string> {
  const gitFile = join(wanted.folder, '.git');
  const link = `gitdir: ${admin}\n`;
  const present = await readFile(gitFile, 'utf8').catch(() => '');
  if (present === link) return admin;
  // The link has only the old location: the repository was moved.
  const isMoved = /^gitdir: .*\n$/.test(present) && basename(present.trimEnd()) === basename(admin);
  if (existsSync(gitFile) && !isMoved) await rename(gitFile, await freeName(join(admin, 'replaced-git')));
  await writeFile(gitFile, link);
  return admin;
}

/** The files exist but git lost them (`git worktree prune` without the disk): registers them untouched. */
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
