// Prepares branch, checkout and pins of a run. Each step finds the results of an earlier, killed one.
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hooksPathOf } from '#adapters/git/landing/after-landing.ts';
import type { Criterion, Pin } from '#kernel/model/criterion.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Prepared } from '#ports/workspace.ts';
import { sweepCleanCheckouts } from './clean-checkout.ts';
import { fillCheckout, watch } from './fill-checkout.ts';
import { gitFailed } from '#adapters/git/repo/git.ts';
import type { Ground } from './context.ts';
import { checkStart } from '#adapters/git/repo/check-start.ts';
import { type InPlace, switchInPlace } from '#adapters/git/repo/in-place.ts';
import { ensureLinkedCheckout, settleAdmin } from './linked-checkout.ts';
import { isOutsidePin, withEarlier } from '#adapters/git/pins/outside-pins.ts';
import { noteAskedLocks, releaseAskedLocks } from './own-locks.ts';
import type { PinGround } from '#adapters/git/pins/pin-context.ts';
import { computePins } from '#adapters/git/pins/pins.ts';
import { readRef, updateRef, hasObject } from '#adapters/git/refs/refs.ts';
import { linksOf } from './submodules.ts';
import { listFiles, noteTree } from '#adapters/git/trees/pin-tree.ts';

export interface OwnCheckout {
  readonly root: string;
  readonly indexFile: string;
  readonly inPlace: boolean;
  readonly readyFile: string;
}

interface Tip {
  readonly commit: string;
  readonly tree: string;
}

export interface PinOrder {
  readonly ground: PinGround;
  readonly criteria: readonly Criterion[];
  readonly goals: readonly string[];
  /** Pins of the run so far: later criteria prepare it again. */
  readonly earlier: readonly Pin[];
  readonly isUntouched: boolean;
}

export async function prepareCheckout(
  ground: Ground,
  own: OwnCheckout,
  order: PinOrder,
  tip: string,
): Promise<Prepared> {
  const { git, baseCommit, branch } = ground;
  const baseTree = await findBase(ground);
  noteTree(git, baseCommit, baseTree);
  const inPlace: InPlace = { git, repository: ground.repository, branch, baseCommit };
  await checkStart({ ...ground, inPlace: own.inPlace });
  await mkdir(dirname(own.indexFile), { recursive: true });
  await sweepLeftovers(ground, own);
  const made = await makeBranch(ground, tip);
  await noteAskedLocks(own.indexFile, order.goals, order.criteria);
  if (own.inPlace) await settleInPlace(ground, own, inPlace, baseTree);
  else
    await settleLinked(ground, own, {
      isUntouched: order.isUntouched,
      at: made === baseCommit ? { commit: baseCommit, tree: baseTree } : null,
    });
  await releaseAskedLocks(ground, own);
  await noteSpecialFiles(ground, baseTree);
  if (order.criteria.some(({ check }) => check.kind === 'hook')) await noteMissingHook(ground, own.root);
  return { baseCommit, baseTree, branch, pins: await pinsOf(order) };
}

async function pinsOf({ ground, criteria, goals, earlier }: PinOrder): Promise<Pin[]> {
  const pins = await computePins(ground, criteria, goals);
  const inside = pins.filter((pin) => !isOutsidePin(pin));
  return [...inside, ...withEarlier(pins.filter(isOutsidePin), earlier)];
}

async function findBase({ git, commonDir, baseCommit }: Ground): Promise<string> {
  const tree = await readRef(git, commonDir, `${baseCommit}^{tree}`);
  if (tree !== null) return tree;
  throw new OperatorError(
    'base-missing',
    `The commit ${baseCommit} is not in this repository.`,
    'Fetch it, or start a new run from a commit that is there.',
  );
}

/** Made at `tip`: a user who landed a run and deleted its branch may resume the run. Null if it exists. */
async function makeBranch({ git, commonDir, branch }: Ground, tip: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const args = ['-m', 'untildone: start', ref, tip, '0'.repeat(tip.length)];
  const answer = await updateRef(git, commonDir, args);
  if (answer.code === 0) return tip;
  if ((await readRef(git, commonDir, ref)) !== null) return null;
  if (!(await hasObject(git, commonDir, `${tip}^{commit}`)))
    throw new OperatorError(
      'tip-missing',
      `The branch ${branch} and the commit ${tip} of the run are missing.`,
      'Fetch it, or start a new run.',
    );
  if (
    /cannot lock ref|exists/.test(answer.stderr) &&
    (await readRef(git, commonDir, 'refs/heads/untildone')) !== null
  ) {
    throw new OperatorError(
      'branch-in-the-way',
      'The branch `untildone` prevents branches named `untildone/<run>`.',
      'Rename it: `git branch -m untildone something-else`.',
    );
  }
  throw gitFailed(['update-ref'], answer);
}

/** Creates or finds the run's worktree at the tip of its branch. */
export async function settleLinked(
  ground: Ground,
  own: OwnCheckout,
  { isUntouched = false, at = null }: { readonly isUntouched?: boolean; readonly at?: Tip | null } = {},
): Promise<void> {
  const { git, commonDir, branch } = ground;
  const filledBy = JSON.stringify(ground.setup());
  if (isUntouched && !(await isFilledBy(own.readyFile, filledBy))) await rm(own.readyFile, { force: true });
  const { commit, tree } = at ?? (await tipOf(ground));
  const admin = await ensureLinkedCheckout({
    git,
    commonDir,
    folder: own.root,
    birthName: `untildone-${ground.runId}`,
    branch,
    commit,
    readyFile: own.readyFile,
    filledBy,
    fill: (admin) =>
      fillCheckout(ground, { root: own.root, admin, indexFile: own.indexFile, tree, isWorkedIn: true }),
  });
  await settleAdmin(admin, branch);
}

async function tipOf({ git, commonDir, branch, baseCommit }: Ground): Promise<Tip> {
  const commit = (await readRef(git, commonDir, `refs/heads/${branch}`)) ?? baseCommit;
  const tree = await git.tell(['rev-parse', `${commit}^{tree}`], { gitDir: commonDir });
  return { commit, tree };
}

/** True as well when the ready file does not say. */
async function isFilledBy(readyFile: string, filledBy: string): Promise<boolean> {
  const [, known = ''] = (await readFile(readyFile, 'utf8').catch(() => '')).split('\n');
  return known === '' || known === filledBy;
}

async function settleInPlace(
  ground: Ground,
  own: OwnCheckout,
  inPlace: InPlace,
  baseTree: string,
): Promise<void> {
  await switchInPlace(inPlace);
  if (existsSync(own.readyFile)) return;
  const admin = ground.repository.gitDir;
  await watch(ground, { root: own.root, admin, indexFile: own.indexFile, tree: baseTree }, []);
  await writeFile(own.readyFile, `${ground.baseCommit}\n`);
}

/** Removes indexes of killed snapshots and checkouts of a killed driver of this run. */
async function sweepLeftovers(ground: Ground, own: OwnCheckout): Promise<void> {
  await sweepCleanCheckouts(ground, 'all');
  const folder = dirname(own.indexFile);
  const start = `${basename(own.indexFile)}.`;
  const names = (await readdir(folder)).filter((name) => name.startsWith(start));
  const left = names.filter((name) => /^(\d+-\d+(\.lock|\.none)?|lock)$/.test(name.slice(start.length)));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
}

/** Reported at the start, when a user can fix it; the check reports it too. */
async function noteMissingHook({ git, commonDir, note }: Ground, root: string): Promise<void> {
  const set = await hooksPathOf({ git, gitDir: commonDir });
  const folder = set === undefined ? join(commonDir, 'hooks') : resolve(root, set);
  const isThere = await access(join(folder, 'pre-commit'), constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  note(
    `The setting preCommitHook requires a pre-commit hook, but ${join(folder, 'pre-commit')} is missing or not executable. Without it, this run cannot complete.`,
  );
}

async function noteSpecialFiles(ground: Ground, tree: string): Promise<void> {
  const { git, commonDir, note } = ground;
  if ((await linksOf(git, commonDir, tree)).length > 0) {
    note('The repository has submodules: only their commit is recorded, not changes inside them.');
  }
  const isAttributes = (path: string): boolean => basename(path) === '.gitattributes';
  if (git.hasLfs || ![...(await listFiles({ git, gitDir: commonDir }, tree)).keys()].some(isAttributes))
    return;
  const args = ['grep', '-q', 'filter=lfs', tree, '--', ':(top,glob)**/.gitattributes'];
  const usesLfs = (await git.ask(args, { gitDir: commonDir })).code === 0;
  if (usesLfs)
    note('git-lfs is not installed: the run sees large files as pointers, without their contents.');
}
