// Creates the workspace of a run: its own branch and checkout in the user's repository.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import type { RunConfig } from '#kernel/model/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Processes } from '#ports/processes.ts';
import type { RestoredRef, Workspace } from '#ports/workspace.ts';
import { findRunsAfterLanding } from '#adapters/git/landing/after-landing.ts';
import { openTrees } from '#adapters/git/trees/trees.ts';
import { withBasePins } from '#adapters/git/pins/base-pins.ts';
import { makeCleanCheckout } from '#adapters/git/checkouts/clean-checkout.ts';
import { commitTree } from './commit.ts';
import { createInstaller } from '#adapters/git/setup/dependencies.ts';
import { openDependencyCache } from '#adapters/git/setup/dependency-cache.ts';
import { changedPaths, removeAdded, restoreFiles, testChanges } from '#adapters/git/trees/files.ts';
import { changedSettings, freezeSettings, withFrozenSettings } from '#adapters/git/repo/frozen-settings.ts';
import { createGit, type Environment, markedEnvironment } from '#adapters/git/repo/git.ts';
import type { Ground } from '#adapters/git/checkouts/context.ts';
import { type GuardGround, writeGuard } from '#adapters/git/refs/guard.ts';
import { findAdmin, settleAdmin } from '#adapters/git/checkouts/linked-checkout.ts';
import { openKeptLocks } from '#adapters/git/setup/kept-locks.ts';
import { outsideState } from '#adapters/git/pins/outside-pins.ts';
import type { PinGround } from '#adapters/git/pins/pin-context.ts';
import { findBrokenPins } from '#adapters/git/pins/pins.ts';
import { type OwnCheckout, prepareCheckout, settleLinked } from '#adapters/git/checkouts/prepare.ts';
import { branchOf } from '#adapters/git/refs/refs.ts';
import type { Repository } from '#adapters/git/repo/repository.ts';
import { restoreGuarded } from '#adapters/git/refs/restore-refs.ts';
import type { SetupReport } from '#adapters/git/setup/run-setup.ts';
import { makeReviewCheckout, readReviewTree } from '#adapters/git/checkouts/review-checkout.ts';
import { releaseCheckout } from '#adapters/git/checkouts/release-checkout.ts';
import { removeSpecialFiles, removeSpecialGitFiles } from '#adapters/git/trees/special-files.ts';
import { openSnapshot, ownIndex } from '#adapters/git/trees/snapshot.ts';
import { fileTexts, recentCommits } from '#adapters/git/repo/history.ts';
import { treeDiff } from '#adapters/git/trees/tree-diff.ts';

export interface GitWorkspaceOptions {
  readonly repository: Repository;
  readonly runId: string;
  /** Folder for the run's own checkout; unused in place. */
  readonly worktreeDir: string;
  /** Our own index, outside the workspace; the files `<indexFile>.*` are ours as well. */
  readonly indexFile: string;
  /** Shared by all runs of the repository. */
  readonly cacheDir: string;
  /** Distinguishes our cache entries from those of others. */
  readonly cacheSealKey: Buffer;
  readonly config: RunConfig;
  /** The present setup of the run; by default that of `config`. */
  readonly setup?: () => RunConfig['setup'];
  readonly setupReport: SetupReport;
  /** Where lock files of the run are kept: written to the first, only read from the others. */
  readonly lockFolders: readonly [string, ...string[]];
  readonly processes: Processes;
  /** For git itself: the user's environment, with identity, signing agents and settings. */
  readonly env: Environment;
  /** For `setup`, which runs code of the repository; `env` by default. */
  readonly setupEnv?: Environment;
  /** Globs of branches that no run may move. */
  readonly protectedBranches: readonly string[];
  /** The home folder of checks if an agent could write it; undefined in a sandbox. */
  readonly home?: string;
  /** The user and group that own the files of a check's checkout; undefined when they are our own. */
  readonly fileOwner?: number;
  onNote?(text: string): void;
}

export function createGitWorkspace(options: GitWorkspaceOptions): Workspace {
  const { ground, own } = lay(options);
  const { git, commonDir } = ground;
  const { snapshot, keep } = snapshotsOf(ground, own);
  const clear = (): Promise<void> => clearSpecialFiles(ground, own);
  const guards: GuardGround = { ...ground, guardDir: `${own.indexFile}.guards`, inPlace: own.inPlace };
  const files = { git, commonDir, root: own.root, snapshot, keep };
  const pinGround = pinGroundOf(options, ground, own);
  const landing = { git, gitDir: commonDir, root: ground.repository.root };

  return {
    root: own.root,
    cwd: join(own.root, ground.prefix),
    async prepare(criteria, known = {}) {
      const { pins: earlier = [], tip = ground.baseCommit, goals = [], isUntouched = false } = known;
      await clear();
      return prepareCheckout(ground, own, { ground: pinGround, criteria, goals, earlier, isUntouched }, tip);
    },
    snapshot,
    async restore(tree, name) {
      await ensureFolders(ground, own);
      return restoreFiles(files, own.indexFile, tree, name);
    },
    keep: async (tree, name) => void (await keep(tree, name)),
    changedPaths: (from, to) => changedPaths(files, from, to),
    removeAdded: (tree) => removeAdded(files, tree),
    brokenPins: (pins, tree, mayChange) => findBrokenPins(pinGround, pins, tree, mayChange),
    steering: (pins) => (options.home === undefined ? '' : outsideState(options.home, pins)),
    withBasePins: (tree, broken) => withBasePins(pinGround, tree, broken, ownIndex(own.indexFile)),
    async commit(order) {
      await clear();
      const done = await commitTree(ground, order);
      if ('commit' in done) await refresh(ground, own, order.tree);
      return done;
    },
    guardRefs: (stepId) => writeGuard(guards, stepId),
    async restoreRefs(stepId) {
      // Without a walk through the checkout, because no call of git reads it here.
      await clearSpecialFiles(ground, own, removeSpecialGitFiles);
      const restored = await restoreGuarded(guards, stepId);
      await settle(ground, own);
      return [...restored, ...noticed(changedSettings(options.env, own.indexFile, landing.root))];
    },
    cleanCheckout: (tree) => makeCleanCheckout(ground, tree),
    reviewCheckout: (tree, name) => makeReviewCheckout(ground, tree, name),
    reviewTree: (name) => readReviewTree(ground, name),
    diff: async (from, to) => {
      const diff = await treeDiff(git, commonDir, { from, to, folder: ground.prefix });
      return { ...diff, tests: testChanges(await changedPaths(files, from, to), ground.prefix) };
    },
    recentCommits: (count) => recentCommits(git, commonDir, ground.branch, count),
    texts: (tree, paths) => fileTexts(pinGround, tree, paths),
    runsAfterLanding: (from, to) => findRunsAfterLanding(landing, { from, to }),
    trees: openTrees(pinGround, () => ownIndex(own.indexFile)),
    release: () => releaseCheckout(ground, own, files),
  };
}

function snapshotsOf(ground: Ground, own: OwnCheckout): ReturnType<typeof openSnapshot> {
  const { git, commonDir, runId, env, note } = ground;
  const { root, indexFile, inPlace } = own;
  return openSnapshot({ root, indexFile, commonDir, runId, inPlace }, env, { git, onNote: note });
}

function pinGroundOf(options: GitWorkspaceOptions, ground: Ground, own: OwnCheckout): PinGround {
  const { git, commonDir: gitDir, prefix, baseCommit: base } = ground;
  const { home } = options;
  const env = options.setupEnv ?? options.env;
  const checkouts = [own.root, join(ground.cacheDir, 'clean', ground.runId)];
  return { git, gitDir, prefix, base, ...(home === undefined ? {} : { outside: { home, env, checkouts } }) };
}

function lay(options: GitWorkspaceOptions): { ground: Ground; own: OwnCheckout } {
  const { repository, runId, config, cacheDir } = options;
  freezeSettings(options.env, options.indexFile, repository.root);
  const env = markedEnvironment(withFrozenSettings(options.env, options.indexFile), `${runId}/git`);
  const branch = branchOf(runId);
  if (options.protectedBranches.some((pattern) => picomatch.isMatch(branch, pattern))) {
    throw new OperatorError(
      'branch-protected',
      `The run's branch ${branch} is protected.`,
      'Remove the matching pattern from the protected branches.',
    );
  }
  const note = (text: string): void => options.onNote?.(text);
  const ground: Ground = {
    git: createGit(repository.commonDir, env),
    env,
    runId,
    repository,
    commonDir: repository.commonDir,
    branch,
    baseCommit: config.repo.baseCommit,
    prefix: config.repo.prefix,
    cacheDir,
    setup: options.setup ?? (() => config.setup),
    fileOwner: options.fileOwner ?? null,
    installer: createInstaller({
      cache: openDependencyCache({
        cacheDir,
        sealKey: options.cacheSealKey,
        isSandboxed: options.home === undefined,
        note,
      }),
      locks: openKeptLocks({ folders: options.lockFolders, sealKey: options.cacheSealKey, note }),
      runner: {
        processes: options.processes,
        env: options.setupEnv ?? options.env,
        mark: `${runId}/setup`,
        report: options.setupReport,
      },
    }),
    note,
  };
  const inPlace = config.repo.inPlace;
  const root = inPlace ? repository.root : options.worktreeDir;
  return {
    ground,
    own: { root, indexFile: options.indexFile, inPlace, readyFile: `${options.indexFile}.ready` },
  };
}

/** The user's own file stays: the user may have changed it. The run ignores the changes. */
function noticed(settings: readonly string[]): RestoredRef[] {
  return settings
    .slice(0, 20)
    .map((name) => ({ ref: `git config --global ${name}`, action: 'ignored', keptAs: '' }));
}

/** Programs of the run may have written here since the last call of git. */
async function clearSpecialFiles(
  ground: Ground,
  { root, inPlace }: OwnCheckout,
  remove = removeSpecialFiles,
): Promise<void> {
  const removed = await remove({ root, commonDir: ground.commonDir, inPlace });
  if (removed !== null) ground.note(removed);
}

async function adminOf(ground: Ground, own: OwnCheckout): Promise<string | null> {
  return own.inPlace ? ground.repository.gitDir : findAdmin(ground.commonDir, own.root);
}

/** Recreates our own deleted folders, never the user's checkout. */
async function ensureFolders(ground: Ground, own: OwnCheckout): Promise<void> {
  if (own.inPlace) return;
  if (!existsSync(own.root)) {
    ground.note(`The worktree ${own.root} was deleted; it is made again.`);
    await settleLinked(ground, own);
  }
  await mkdir(join(own.root, ground.prefix), { recursive: true });
}

/** An agent may have switched branches or been killed during a merge. */
async function settle(ground: Ground, own: OwnCheckout): Promise<void> {
  const admin = await adminOf(ground, own);
  if (admin !== null) await settleAdmin(admin, ground.branch);
}

/** Makes `git status` in the checkout correct after a commit. */
async function refresh(ground: Ground, own: OwnCheckout, tree: string): Promise<void> {
  const admin = await adminOf(ground, own);
  if (admin === null) return;
  await settleAdmin(admin, ground.branch);
  const place = { cwd: own.root, gitDir: admin, workTree: own.root };
  // Not `reset`: it believes the index where an agent has kept the hash of a folder and changed a file in it.
  await ground.git.tell(['read-tree', '--reset', tree], place);
  await ground.git.ask(['update-index', '-q', '--refresh'], place);
}
