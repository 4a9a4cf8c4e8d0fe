// Configuration → world. The one file that knows every adapter; each is imported when it is used.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedStore } from '#adapters/stores/embedded/store.ts';
import { createSnapshots } from '#adapters/stores/embedded/snapshot.ts';
import { createViewFiles } from '#adapters/stores/embedded/views.ts';
import type { Probe } from '#adapters/machine/probe.ts';
import { composeEyes, entryOf } from '#compose/eyes.ts';
import { foreignSessions, refuseWithoutClient } from '#compose/foreign.ts';
import { agentEnvironment } from '#config/agent-env.ts';
import { present } from '#kernel/assert.ts';
import type { RunConfig } from '#kernel/config.ts';
import type { Event } from '#kernel/events.ts';
import { eventVersion } from '#kernel/events.ts';
import type { PlanProposal } from '#kernel/plan.ts';
import type { Run } from '#kernel/run.ts';
import type { Task } from '#kernel/task.ts';
import type { Planner } from '#ports/planner.ts';
import type { Workspace } from '#ports/workspace.ts';
import type { Observer, World } from '#ports/world.ts';
import type { DriveEnd } from '#runtime/drive.ts';
import { masterLogLine } from '#views/master-log.ts';
import { planJson } from '#views/plan.ts';
import { progressFiles } from '#views/actions/progress-files.ts';
import { stateJson } from '#views/state-json.ts';

import {
  definedOnly,
  loadRun,
  openInbox,
  openStore,
  pathsOf,
  runPathsOf,
  worktreeOf,
} from '#compose/site.ts';
import type { Site } from '#compose/site.ts';
import { stateHome } from '#compose/state-home.ts';
import { createTakeTree, orUnreadable } from '#compose/take-tree.ts';

export type { DriveEnd } from '#runtime/drive.ts';
export type { Probe } from '#adapters/machine/probe.ts';

/** What this machine has and can promise; works outside a repository too. */
export async function probe(given: { readonly [name: string]: string | undefined }): Promise<Probe> {
  const { probeMachine } = await import('#adapters/machine/probe.ts');
  const { clientsOnPath } = await import('#config/agents.ts');
  const env = definedOnly(given);
  return probeMachine({ env, stateHome: stateHome(env), clients: await clientsOnPath(env) });
}

export interface NewRun {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  readonly heldOut?: readonly { readonly id: string; readonly text: string }[];
  /** A plan that a person brought; without one the architect is asked. */
  readonly plan?: PlanProposal;
  /** This process drives it at once: to others the run is live from its first moment on. */
  readonly isHeld?: boolean;
}

/** Creates the run and freezes what it was told. Nothing is started yet. */
export async function startRun(site: Site, wish: NewRun): Promise<string> {
  const { config: wanted, tasks, heldOut = [], plan, isHeld = false } = wish;
  await (await import('#adapters/stores/embedded/writable.ts')).refuseReadOnly(site.commonDir);
  refuseWithoutClient(wanted);
  (await import('#compose/browser-here.ts')).refuseWithoutBrowser(site, tasks);
  const { settleSandbox } = await import('#compose/sandbox.ts');
  const config = settleSandbox(wanted);
  await (await import('#compose/run/refuse-agents.ts')).refuseAgents(site, config, tasks);
  const at = Date.now();
  const runId = newRunId(at);
  const frozen: RunConfig = { ...config, repo: { ...config.repo, branch: `untildone/${runId}` } };
  const { checkStart } = await import('#adapters/workspaces/git/check-start.ts');
  await checkStart({ ...site, ...frozen.repo });
  const events: Event[] = [
    { at, type: 'run-created', runId, version: eventVersion, config: frozen },
    ...tasks.map((task): Event => ({ at, type: 'task-added', task, by: 'plan' })),
    ...(plan === undefined ? [] : planned(at, plan)),
  ];
  await (await openStore(site)).create(runId, events, { isHeld });
  const { writeHeldOut } = await import('#adapters/stores/embedded/held-out.ts');
  await writeHeldOut(runPathsOf(site, runId).heldOut, heldOut);
  return runId;
}

function planned(at: number, proposal: PlanProposal): Event[] {
  const { version, by } = proposal;
  return [
    { at, type: 'plan-proposed', proposal },
    { at, type: 'plan-adopted', version, by },
  ];
}

/** Sorts by time; short enough to be typed. */
function newRunId(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 5).replace(':', '')}-${randomBytes(2).toString('hex')}`;
}

export async function driveRun(
  site: Site,
  runId: string,
  options: {
    readonly observers: readonly Observer[];
    readonly leaveWhenParked: () => boolean;
    readonly signal: AbortSignal;
  },
): Promise<DriveEnd> {
  const { run } = await loadRun(site, runId);
  const { drive } = await import('#runtime/drive.ts');
  const { presets } = await import('#policies/presets/index.ts');
  const { policy } = present(presets[run.config.preset], `preset ${run.config.preset} is known`);
  const views = viewObserver(site, runId, options.observers);
  const world = await composeWorld(site, run, [...options.observers, views]);
  try {
    const end = await drive(runId, world, policy, options);
    if (end.kind === 'ended' && end.run.outcome?.outcome === 'completed') {
      await world.workspace.release();
      await keepStatement(site, end.run, options.observers);
    }
    return end;
  } finally {
    await views.close();
  }
}

/** The run is over and proven, whatever becomes of the note. */
async function keepStatement(site: Site, run: Run, observers: readonly Observer[]): Promise<void> {
  const { keepRunProof } = await import('#compose/keep-proof.ts');
  await keepRunProof(site, run).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    for (const observer of observers)
      observer.onNote?.(`The statement was not kept beside the commit: ${why}`);
  });
}

async function composeWorld(
  site: Site,
  { id: runId, config, createdAt }: Run,
  observers: readonly Observer[],
): Promise<World> {
  const { createHostSessions } = await import('#adapters/sessions/host-process.ts');
  const { agentGitEnv } = await import('#adapters/workspaces/git/identity.ts');
  const paths = runPathsOf(site, runId);
  const onNote = (text: string): void => {
    for (const observer of observers) observer.onNote?.(text);
  };
  const indexFile = join(paths.folder, 'index');
  const { openSandboxes } = await import('#compose/sandbox.ts');
  const sandboxes = await openSandboxes(site, runId, config);
  const setup = followSetup(config);
  const { workspace, checker, processes, clock } = await composeEyes(site, {
    runId,
    config,
    setup: setup.now,
    setupHint: `Give another command: untildone resume ${runId} --setup "…" (or --no-setup to install nothing)`,
    since: createdAt,
    logsDir: paths.views.logs,
    heldOutDir: paths.heldOut,
    worktreeDir: worktreeOf(site, runId),
    indexFile,
    lockFolders: [paths.setup],
    sandbox: sandboxes.checks,
    onNote,
  });
  const takeTree = createTakeTree(workspace);
  const envFor = (name: string): { [name: string]: string } => ({
    ...agentEnvironment(site.env, config.agents[name]?.env),
    ...agentGitEnv(runId),
  });
  const own = createHostSessions({
    hostEntry: entryOf('host'),
    nodePath: process.execPath,
    runId,
    receiptsDir: paths.receipts,
    hostsDir: join(paths.folder, 'hosts'),
    logsDir: paths.views.logs,
    worktree: {
      root: workspace.root,
      indexFile,
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
  const sessions = config.foreign === undefined ? own : await foreignSessions(site, config, own, takeTree);
  return {
    store: createEmbeddedStore(pathsOf(site), { onNote }),
    inbox: await openInbox(site, runId, onNote),
    workspace,
    checker,
    sessions,
    ...(config.policy.planning === undefined ? {} : { planner: await openPlanner(site, config, workspace) }),
    clock,
    snapshots: createSnapshots(paths.snapshot),
    sweep: async () => (await processes.sweep(`${runId}/`)).length,
    driver: `${hostname()}:${process.pid}`,
    observers: [setup.observer, ...observers],
  };
}

/** A person may change the setup of a parked run, so each checkout reads the setup again. */
function followSetup({ setup }: RunConfig): {
  readonly now: () => RunConfig['setup'];
  readonly observer: Observer;
} {
  let present = setup;
  return { now: () => present, observer: { onEvents: (run) => void (present = run.config.setup) } };
}

async function openPlanner(site: Site, config: RunConfig, workspace: Workspace): Promise<Planner> {
  const { createPlanner } = await import('#compose/planner.ts');
  return createPlanner(site, config, workspace);
}

/** Whether plan.json may look different afterwards. */
function changesPlan({ config }: Run, { type }: Event): boolean {
  return config.policy.planning !== undefined && /^(run|plan|task|question|step|control)-/.test(type);
}

function changesProgress({ config }: Run, { type }: Event): boolean {
  return config.policy.actions !== undefined && /^(run|action|evidence)-/.test(type);
}

/** Keeps state.json, the files of progress and the master log up to date. */
function viewObserver(
  site: Site,
  runId: string,
  observers: readonly Observer[],
): Observer & { close(): Promise<void> } {
  const files = createViewFiles({
    paths: pathsOf(site),
    run: runPathsOf(site, runId),
    onTrouble: (text) => {
      for (const observer of observers) observer.onNote?.(text);
    },
  });
  return {
    onEvents(run, events) {
      files.writeState(() => stateJson(run));
      if (events.some((event) => changesPlan(run, event))) files.writePlan(() => planJson(run));
      if (events.some((event) => changesProgress(run, event)))
        for (const [name, text] of Object.entries(progressFiles(run))) files.writeProgress(name, text);
      for (const event of events) {
        const line = masterLogLine(run, event);
        if (line !== null) files.appendMaster(line);
        if (event.type === 'step-ended' && event.result.kind === 'survey') files.writeMap(event.result.map);
      }
    },
    close: () => files.close(),
  };
}
