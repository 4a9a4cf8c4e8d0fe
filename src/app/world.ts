// The composition root of a driver, to be read from top to bottom: lock the run, build its ports, drive it.
// Rule: this file builds the ports of a driver, with the four files that composeWorld names, and only host.ts
// a session host (test/tidy/composition.ts). Use cases may call functions of adapters. Adapters are imported
// on use: commands that only read must not wait.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorText } from '#base/error-text.ts';
import { createSnapshots } from '#adapters/store/snapshot.ts';
import { createEmbeddedStore } from '#adapters/store/store.ts';
import { present } from '#base/assert.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Processes } from '#ports/processes.ts';
import type { Sessions } from '#ports/sessions.ts';
import type { Workspace } from '#ports/workspace.ts';
import type { Observer, World } from '#ports/world.ts';
import type { RunSandboxes } from '#app/sandbox/sandbox.ts';
import type { RunOnSite } from '#app/waiting/run-waiting.ts';
import { admitSessions } from './admission.ts';
import { composeCheckDeps, onceEach, setupNote } from './check-deps.ts';
import { isLinkLive, openLinks } from './attached.ts';
import { entryOf } from './own-files.ts';
import { openInbox, pathsOf, runPathsOf, type Site, worktreeOf } from './site.ts';
import { createTakeTree, orUnreadable } from './take-tree.ts';
import { keepViewFiles } from './view-files.ts';
import type { DriveEnd, DriveOptions } from '#runtime/drive-options.ts';

export type { DriveEnd } from '#runtime/drive-options.ts';

export interface DriveRunOptions extends DriveOptions {
  readonly observers: readonly Observer[];
  /** Why the run is woken late, as reported by the process that woke it. */
  readonly late?: string | null;
}

/** Contract: a held run is left before any port is built; if one fails, the run stays unchanged and free. */
export async function driveRun(site: Site, runId: string, options: DriveRunOptions): Promise<DriveEnd> {
  const { openRun } = await import('#runtime/open-run.ts');
  const { driveOpened } = await import('#runtime/drive.ts');
  const onNote = noteTo(options.observers);
  // Control files touched while the ports are built are meant for this driver.
  const since = Date.now();
  const opened = await openRun(createEmbeddedStore(pathsOf(site), { onNote }), runId);
  if ('heldBy' in opened) return { kind: 'held', by: opened.heldBy };
  const views = keepViewFiles(site, runId, onNote);
  const order = { site, observers: [...options.observers, views], since, late: options.late ?? null };
  try {
    const { world, policy, close } = await prepareDrive(opened.run, order).catch(async (error: unknown) => {
      await opened.journal.close();
      throw error;
    });
    const end = await driveOpened(opened, world, policy, options).finally(close);
    if (end.kind === 'ended' && end.run.outcome?.outcome === 'completed') {
      await world.workspace.release();
      await keepStatement(site, end.run, onNote);
    }
    return end;
  } finally {
    await views.close();
  }
}

interface WorldOrder {
  readonly site: Site;
  readonly observers: readonly Observer[];
  readonly since: number;
  readonly late: string | null;
}

interface OpenWorld {
  readonly world: World;
  /** Contract: called once, when nothing is driven any more. */
  readonly close: () => void;
}

async function prepareDrive(run: Run, order: WorldOrder): Promise<OpenWorld & { readonly policy: Policy }> {
  const { presets } = await import('#policies/presets/index.ts');
  const { rememberForWaking } = await import('#app/waiting/run-waiting.ts');
  const { policy } = present(presets[run.config.preset], `preset ${run.config.preset} is known`);
  await rememberForWaking(order.site, { runId: run.id, config: run.config }, run);
  return { policy, ...(await composeWorld(run, order)) };
}

/**
 * Builds each port of the driver. Ports that other use cases need too have their own builder: files and
 * checks in check-deps.ts, the inbox in site.ts, usage limits in admission.ts, waits in waiting/run-waiting.ts.
 */
async function composeWorld(
  { id: runId, config, createdAt }: Run,
  { site, observers, since, late }: WorldOrder,
): Promise<OpenWorld> {
  const { openSandboxes } = await import('#app/sandbox/sandbox.ts');
  const { lookoutOf, wakeEntryOf } = await import('#app/waiting/run-waiting.ts');
  const run = { runId, config };
  const paths = runPathsOf(site, runId);
  const onNote = noteTo(observers);
  const setup = followSetup(config);
  const sandboxes = await openSandboxes(site, runId, config, { isNetworkShared: true });
  const { workspace, checker, processes, clock } = await composeCheckDeps(site, {
    ...run,
    setup: setup.now,
    setupHint: `Give another command: untildone resume ${runId} --setup "…" (or --no-setup to install nothing)`,
    since: createdAt,
    logsDir: paths.views.logs,
    heldOutDir: paths.heldOut,
    worktreeDir: worktreeOf(site, runId),
    indexFile: join(paths.folder, 'index'),
    lockFolders: [paths.setup],
    sandbox: sandboxes.checks,
    onNote,
    onSetup: reportSetup(observers),
  });
  const world: World = {
    inbox: await openInbox(site, runId, { since, onNote }),
    workspace,
    checker,
    sessions: await composeSessions(site, run, { workspace, processes, sandboxes, onNote }),
    ...(config.policy.planning === undefined
      ? {}
      : { planner: (await import('#app/plan/planner.ts')).createPlanner(site, config, workspace) }),
    clock,
    lookout: lookoutOf(site, run, { processes, clock, late }),
    wakeEntry: await wakeEntryOf(site, run),
    snapshots: createSnapshots(paths.snapshot),
    sweep: async () => (await processes.sweep(`${runId}/`)).length,
    driver: `${hostname()}:${process.pid}`,
    observers: [setup.observer, ...observers],
  };
  return { world, close: () => sandboxes.checks.close() };
}

interface SessionParts {
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly sandboxes: RunSandboxes;
  readonly onNote: (text: string) => void;
}

/** Each session has its own host process, within provider limits; an attached session is the user's own. */
async function composeSessions(
  site: Site,
  { runId, config }: RunOnSite,
  { workspace, processes, sandboxes, onNote }: SessionParts,
): Promise<Sessions> {
  const { createHostSessions } = await import('#adapters/sessions/host-process.ts');
  const { agentGitEnv } = await import('#adapters/git/repo/identity.ts');
  const paths = runPathsOf(site, runId);
  const takeTree = createTakeTree(workspace);
  const envFor = (name: string): { [name: string]: string } => ({
    ...allowedEnvironment(site.env, config.agents[name]?.env),
    ...agentGitEnv(runId),
  });
  const hosted = createHostSessions({
    hostEntry: entryOf('host'),
    nodePath: process.execPath,
    runId,
    receiptsDir: paths.receipts,
    hostsDir: join(paths.folder, 'hosts'),
    logsDir: paths.views.logs,
    worktree: {
      root: workspace.root,
      indexFile: join(paths.folder, 'index'),
      commonDir: site.commonDir,
      runId,
      inPlace: config.repo.inPlace,
    },
    agents: config.agents,
    knowledge: config.knowledge,
    envFor,
    sandboxFor: (name, role) => sandboxes.forAgent({ name, role, env: envFor(name) }),
    processes,
    confine: 'auto',
    takeTree: orUnreadable(takeTree, onNote),
  });
  const own = admitSessions(site, { id: runId, config }, hosted);
  if (config.foreign === undefined) return own;
  const { sessionId } = config.foreign;
  const { createAttachedSessions } = await import('#adapters/sessions/attached-sessions.ts');
  const links = openLinks(site.ownEnv);
  return createAttachedSessions({
    own,
    takeTree,
    isAttachedStep: ({ deed }) =>
      deed.kind === 'session' && config.agents[deed.agent.name]?.driver === attachedDriver,
    isLive: () => {
      const link = links.read(sessionId);
      return link !== null && isLinkLive(link);
    },
  });
}

/** A person may change the setup of a parked run, so each checkout reads the setup again. */
function followSetup({ setup }: RunConfig): {
  readonly now: () => RunConfig['setup'];
  readonly observer: Observer;
} {
  let newest = setup;
  return { now: () => newest, observer: { onEvents: (run) => void (newest = run.config.setup) } };
}

/** Observers that do not follow activities get a note. */
function reportSetup(observers: readonly Observer[]): (command: string) => () => void {
  const note = onceEach(noteTo(observers.filter((one) => one.onActivity === undefined)));
  return (command) => {
    const activity = { kind: 'setup', stepId: null, command } as const;
    const report = (state: 'began' | 'ended'): void => {
      for (const observer of observers) observer.onActivity?.(activity, state);
    };
    note(setupNote(command));
    report('began');
    return () => report('ended');
  };
}

/** The run is over and proven, even if writing the note fails. */
async function keepStatement(site: Site, run: Run, onNote: (text: string) => void): Promise<void> {
  const { keepRunProof } = await import('#app/prove/keep-proof.ts');
  await keepRunProof(site, run).catch((error: unknown) => {
    const why = errorText(error);
    onNote(`The statement was not attached to the commit: ${why}`);
  });
}

function noteTo(observers: readonly Observer[]): (text: string) => void {
  return (text) => {
    for (const observer of observers) observer.onNote?.(text);
  };
}
