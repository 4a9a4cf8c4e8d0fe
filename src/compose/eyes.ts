// What looking at trees needs: the files as git has them, checks, and the processes of both.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#adapters/clocks/system-clock.ts';
import type { CheckTools } from '#adapters/checkers/tools.ts';
import { checkEnvironment } from '#config/agent-env.ts';
import { createRedactor } from '#config/redact.ts';
import type { RunConfig } from '#kernel/config.ts';
import { foreignDriver } from '#kernel/foreign.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Processes } from '#ports/processes.ts';
import type { Sandbox } from '#ports/sandbox.ts';
import type { Eyes } from '#ports/world.ts';
import { pathsOf, type Site } from './site.ts';

export interface EyesOrder {
  /** In the names of checkouts and in the marks of processes: whoever shares it may sweep them. */
  readonly runId: string;
  readonly config: RunConfig;
  /** Nothing that was started before may answer a check. */
  readonly since: number;
  readonly logsDir: string;
  /** Where the run's held-out checks are kept; without it they cannot be looked at. */
  readonly heldOutDir?: string;
  readonly worktreeDir: string;
  readonly indexFile: string;
  /** Where lock files that the run resolved are kept; the first is written, the others only read. */
  readonly lockFolders: readonly [string, ...string[]];
  /** Around checks and setup; that of the run where it is left out. */
  readonly sandbox?: Sandbox;
  /** The setup as the run has it now; that of `config` where it is left out. */
  readonly setup?: () => RunConfig['setup'];
  /** The next command after a setup that failed. */
  readonly setupHint?: string;
  readonly onNote: (text: string) => void;
}

export async function composeEyes(
  site: Site,
  order: EyesOrder,
): Promise<Eyes & { readonly processes: Processes }> {
  const { createProcesses } = await import('#adapters/processes/create-processes.ts');
  const { createGitWorkspace } = await import('#adapters/workspaces/git/workspace.ts');
  const { ensureMirrorKey } = await import('#adapters/stores/embedded/mirror.ts');
  const { createChecker } = await import('#adapters/checkers/create-checker.ts');
  const { runId, config, worktreeDir, indexFile, logsDir, onNote } = order;
  const sandbox = order.sandbox ?? (await sandboxOfRun(site, order));
  const processes = createProcesses({ confine: 'auto', sandbox });
  const redactor = createRedactor(site.env);
  const checkEnv = checkEnvironment(site.env, config.checkEnv);
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
      onStart: onceEach((command) => onNote(`The setup command runs: ${command}`)),
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
    ...(await heldOutIn(order.heldOutDir)),
    browser: {
      entry: entryOf('browser'),
      // Never from a file beside the work, which an agent could have written.
      chromePath: site.ownEnv['CHROME_PATH'] ?? null,
      nodePath: site.ownEnv['NODE_PATH'] ?? '',
    },
  });
  return { workspace, checker, processes, clock: systemClock };
}

/** Many checkouts are set up by the same command. */
function onceEach(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (!told.has(text)) tell(text);
    told.add(text);
  };
}

/** Whether some agent can write the user's home, parts of which checks in a sandbox see as well. */
function isHomeOpen({ kind }: Sandbox, { agents, sandbox }: RunConfig): boolean {
  const isForeign = Object.values(agents).some(({ driver }) => driver === foreignDriver);
  return kind === 'none' || isForeign || (sandbox?.outside ?? []).length > 0;
}

/** What an agent made is looked at again as it was looked at in the run; on a machine that cannot, that is said. */
async function sandboxOfRun(site: Site, { runId, config, onNote }: EyesOrder): Promise<Sandbox> {
  const { openSandboxes, noSandboxes } = await import('./sandbox.ts');
  const opened = await openSandboxes(site, runId, config).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    onNote(`NOT SANDBOXED: ${error.message}`);
    return noSandboxes;
  });
  return opened.checks;
}

/** Shared by all runs of the repository. */
export function cacheDirOf(site: Site): string {
  return join(site.stateHome, 'untildone', 'cache', site.repoId);
}

async function heldOutIn(folder: string | undefined): Promise<Pick<CheckTools, 'heldOut'>> {
  if (folder === undefined) return {};
  const { readHeldOut } = await import('#adapters/stores/embedded/held-out.ts');
  return { heldOut: { read: (id) => readHeldOut(folder, id), logsDir: join(folder, 'logs') } };
}

/** A program of ours as a file of its own: beside us when built, in its folder when run from source. */
export function entryOf(name: 'host' | 'browser' | 'mcp' | 'plugin'): string {
  const isSource = import.meta.url.endsWith('.ts');
  const path = isSource ? `../surfaces/${name}/main.ts` : `./${name}.js`;
  return fileURLToPath(new URL(path, import.meta.url));
}
