// Builds the parts that check trees: git files, checks, and the processes of both.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#adapters/machine/system-clock.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { createRedactor } from '#config/redact.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import type { Processes } from '#ports/processes.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import type { CheckDeps } from '#ports/world.ts';
import { entryOf } from './own-files.ts';
import { cacheDirOf, pathsOf, runPathsOf, type Site, trialsOf } from './site.ts';

export interface CheckDepsOptions {
  /** In the names of checkouts and in process marks: anything with the same id may sweep them. */
  readonly runId: string;
  readonly config: RunConfig;
  /** No process started before this may answer a check. */
  readonly since: number;
  readonly logsDir: string;
  readonly heldOutDir: string;
  readonly worktreeDir: string;
  readonly indexFile: string;
  /** Where lock files that the run resolved are kept; the first is written, the others only read. */
  readonly lockFolders: readonly [string, ...string[]];
  /** For checks and setup. */
  readonly sandbox: Sandbox;
  /** The current setup of the run; by default that of `config`. */
  readonly setup?: () => RunConfig['setup'];
  /** The next command if the setup fails. */
  readonly setupHint?: string;
  readonly onNote: (text: string) => void;
  /** Follows a setup command; the result is called when it ended. By default, a note says that it runs. */
  readonly onSetup?: (command: string) => () => void;
}

export async function composeCheckDeps(
  site: Site,
  order: CheckDepsOptions,
): Promise<CheckDeps & { readonly processes: Processes }> {
  const { createProcesses } = await import('#adapters/processes/create-processes.ts');
  const { createGitWorkspace } = await import('#adapters/git/workspace.ts');
  const { ensureMirrorKey } = await import('#adapters/store/journal/mirror.ts');
  const { createChecker } = await import('#adapters/checkers/create-checker.ts');
  const { readHeldOut } = await import('#adapters/store/held-out.ts');
  const { runId, config, worktreeDir, indexFile, logsDir, heldOutDir, sandbox, onNote } = order;
  const processes = createProcesses({ confine: 'auto', sandbox });
  const redactor = createRedactor(site.env);
  const checkEnv = allowedEnvironment(site.env, config.checkEnv);
  const workspace = createGitWorkspace({
    repository: site.repository,
    runId,
    worktreeDir,
    indexFile,
    cacheDir: cacheDirOf(site),
    cacheSealKey: await ensureMirrorKey(pathsOf(site).mirrorKey),
    config,
    ...(order.setup === undefined ? {} : { setup: order.setup }),
    setupReport: {
      logFile: join(logsDir, 'setup.log'),
      redactor,
      hint: order.setupHint ?? 'Run it by hand in a fresh clone to see what is missing.',
      onStart: order.onSetup ?? onceEach((command) => onNote(setupNote(command))),
    },
    lockFolders: order.lockFolders,
    processes,
    env: site.env,
    setupEnv: checkEnv,
    protectedBranches: config.repo.protectedBranches,
    ...(sandbox.fileOwner === undefined ? {} : { fileOwner: sandbox.fileOwner }),
    ...(isHomeOpen(sandbox, config) ? { home: checkEnv['HOME'] ?? homedir() } : {}),
    onNote,
  });
  const checker = createChecker({
    processes,
    logsDir,
    removesLogs: config.dryRun === true,
    env: checkEnv,
    redactor,
    since: order.since,
    heldOut: { read: (id) => readHeldOut(heldOutDir, id), logsDir: join(heldOutDir, 'logs') },
    browser: {
      entry: entryOf('browser'),
      // Never from a file beside the work, which an agent could have written.
      chromePath: site.ownEnv['CHROME_PATH'] ?? null,
      nodePath: site.ownEnv['NODE_PATH'] ?? '',
    },
  });
  return { workspace, checker, processes, clock: systemClock };
}

/** Checks on a run's work under another id: the driver of the run sweeps everything with the run's own id. */
export interface Trial {
  readonly id: string;
  readonly folder: string;
  readonly logsDir: string;
  readonly checkDeps: CheckDeps & { readonly processes: Processes };
}

/** For checks that are repeated outside the driver. */
export async function composeTrial(
  site: Site,
  kind: 'verify' | 'probe',
  run: Run,
  onNote: (text: string) => void,
): Promise<Trial> {
  const { checksSandboxOf } = await import('#app/sandbox/sandbox.ts');
  const id = `${kind}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const folder = join(trialsOf(site, kind), id);
  const logsDir = join(folder, 'logs');
  const { heldOut, setup } = runPathsOf(site, run.id);
  const checkDeps = await composeCheckDeps(site, {
    runId: id,
    config: run.config,
    sandbox: await checksSandboxOf(site, { runId: id, config: run.config, onNote }),
    since: run.createdAt,
    logsDir,
    heldOutDir: heldOut,
    worktreeDir: join(folder, 'worktree'),
    indexFile: join(folder, 'index'),
    lockFolders: [join(folder, 'setup'), setup],
    onNote,
  });
  return { id, folder, logsDir, checkDeps };
}

export function setupNote(command: string): string {
  return `The setup command runs: ${command}`;
}

/** Many checkouts run the same setup command: each text is reported once. */
export function onceEach(report: (text: string) => void): (text: string) => undefined {
  const reported = new Set<string>();
  return (text) => {
    if (!reported.has(text)) report(text);
    reported.add(text);
  };
}

/** Whether an agent can write the user's home: sandboxed checks see parts of it too. */
function isHomeOpen({ kind }: Sandbox, { agents, sandbox }: RunConfig): boolean {
  const isAttachedStep = Object.values(agents).some(({ driver }) => driver === attachedDriver);
  return kind === 'none' || isAttachedStep || (sandbox?.outside ?? []).length > 0;
}
