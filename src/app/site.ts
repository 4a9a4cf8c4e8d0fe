// Where a run lives: repository, state folder and store. A command that only reads needs nothing else.
import { join, resolve } from 'node:path';
import { createInbox } from '#adapters/store/inbox/inbox.ts';
import { type RunPaths, type StorePaths, storePaths } from '#adapters/store/paths.ts';
import { ensureRepoId, readRepoId } from '#adapters/store/repo-id.ts';
import { readSnapshot } from '#adapters/store/snapshot.ts';
import { createEmbeddedStore } from '#adapters/store/store.ts';
import {
  findCheckout,
  findRepository,
  findRepositoryToRead,
  type Repository,
} from '#adapters/git/repo/repository.ts';
import { openTreeDiff } from '#adapters/git/trees/tree-diff.ts';
import { definedOnly, type Environment, withEnvFile } from '#config/env-file.ts';
import { apply, replay } from '#kernel/fold/apply.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Inbox } from '#ports/inbox.ts';
import type { Store } from '#ports/store.ts';
import type { TreeDiff } from '#ports/trees.ts';
import { stateHome } from './state-home.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';

/** A repository as a run sees it, and where its state is kept. */
export interface Site {
  readonly cwd: string;
  readonly root: string;
  /** Folder in the repository where it was started; '' is the root. */
  readonly prefix: string;
  readonly commonDir: string;
  readonly repoId: string;
  readonly stateHome: string;
  readonly viewsRoot: string;
  readonly env: { readonly [name: string]: string };
  /** Without the repository's `.env`. */
  readonly ownEnv: { readonly [name: string]: string };
  readonly head: { readonly commit: string; readonly branch: string | null };
  readonly repository: Repository;
}

export async function openSite(
  cwd: string,
  variables: { readonly [name: string]: string | undefined },
): Promise<Site> {
  const own = definedOnly(variables);
  return siteOf({ cwd, own, repository: await findRepository(cwd, own), repoIdOf: ensureRepoId });
}

/** Contract: writes nothing. A repository without a run, or without a commit, has no runs here. */
export async function openSiteToRead(
  cwd: string,
  variables: { readonly [name: string]: string | undefined },
): Promise<Site> {
  const own = definedOnly(variables);
  const repository = await findRepositoryToRead(cwd, own);
  return siteOf({
    cwd,
    own,
    repository,
    repoIdOf: async (commonDir) => (await readRepoId(commonDir)) ?? 'no-runs-yet',
  });
}

interface SiteParts {
  readonly cwd: string;
  readonly own: Environment;
  readonly repository: Repository;
  readonly repoIdOf: (commonDir: string) => Promise<string>;
}

async function siteOf({ cwd, own, repository, repoIdOf }: SiteParts): Promise<Site> {
  const { root, prefix, commonDir, head } = repository;
  return {
    cwd,
    root,
    prefix,
    commonDir,
    head,
    repository,
    repoId: await repoIdOf(commonDir),
    stateHome: stateHome(own),
    viewsRoot: join(root, '.untildone'),
    env: await withEnvFile(root, own),
    ownEnv: own,
  };
}

/** A checkout that needs no commit and no run: for `init`, which comes before both. Writes nothing. */
export async function openCheckout(
  cwd: string,
  variables: { readonly [name: string]: string | undefined },
): Promise<Pick<Site, 'cwd' | 'root' | 'env'>> {
  const own = definedOnly(variables);
  const { root } = await findCheckout(cwd, own);
  return { cwd, root, env: await withEnvFile(root, own) };
}

export function pathsOf(site: Site): StorePaths {
  const { stateHome: home, commonDir, repoId, root } = site;
  return storePaths({ stateHome: home, commonDir, repoId, viewsRoot: root });
}

/** The files of a run, with the log folder that the environment names. */
export function runPathsOf(site: Site, runId: string): RunPaths {
  const paths = pathsOf(site).run(runId);
  const logs = site.env['WIGGUM_LOG_DIR'];
  if (logs === undefined || logs === '') return paths;
  const folder = resolve(site.root, logs);
  return { ...paths, views: { ...paths.views, logs: folder, master: join(folder, 'wiggum_master.log') } };
}

export interface RunFiles {
  readonly logsDir: string;
  readonly worktree: string;
  readonly stateDir: string;
}

export function runFiles(site: Site, runId: string): RunFiles {
  const { views, folder } = runPathsOf(site, runId);
  return {
    logsDir: views.logs,
    worktree: worktreeOf(site, runId),
    stateDir: folder,
  };
}

/** The state of all runs of all repositories. */
export function stateDirOf(site: Site): string {
  return join(site.stateHome, 'untildone');
}

/** Beside the state folder, not inside: no agent starts next to a journal. The repository may be renamed. */
export function worktreeOf(site: Site, runId: string): string {
  return join(site.stateHome, 'untildone', 'worktrees', site.repoId, runId, 'checkout');
}

/** Where `verify` and `probe` work. */
export function trialsOf(site: Site, kind: 'verify' | 'probe'): string {
  return join(site.stateHome, 'untildone', kind, site.repoId);
}

/** Shared by all runs of the repository. */
export function cacheDirOf(site: Site): string {
  return join(site.stateHome, 'untildone', 'cache', site.repoId);
}

export function openStore(site: Site): Store {
  return createEmbeddedStore(pathsOf(site));
}

export async function openInbox(
  site: Site,
  runId: string,
  {
    since = Date.now(),
    onNote = () => {},
  }: { readonly since?: number; readonly onNote?: (text: string) => void } = {},
): Promise<Inbox> {
  const { judgeIn } = await import('#app/controls/judge.ts');
  const run = runPathsOf(site, runId);
  return createInbox({
    run,
    control: pathsOf(site).control,
    since,
    onNote,
    judge: judgeIn(site),
  });
}

/** Runs that were forked from this one, oldest first. */
export async function forksOf(site: Site, runId: string): Promise<ForkOrigin[]> {
  const { listForks } = await import('#adapters/store/journal/list.ts');
  return listForks(pathsOf(site), runId);
}

export async function readTreeDiff(site: Site, from: string, to: string): Promise<TreeDiff> {
  return openTreeDiff(site.commonDir, site.env)(from, to);
}

export async function loadRun(site: Site, runId: string): Promise<{ run: Run; notes: readonly string[] }> {
  const store = openStore(site);
  const snapshot = await readSnapshot(pathsOf(site).run(runId).snapshot);
  const since = snapshot === null ? null : await store.readAfter(runId, snapshot.position);
  if (snapshot !== null && since !== null) {
    for (const event of since) apply(snapshot.run, event);
    return { run: snapshot.run, notes: [] };
  }
  const { events, notes } = await store.read(runId);
  return { run: replay(events), notes };
}
