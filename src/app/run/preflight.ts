// Collects the preflight: the items that a start shows before any session is paid.
import { versionOf } from '#adapters/machine/probe.ts';
import type { Site } from '#app/site.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { resumesOf } from '#config/agents/agent-guide.ts';
import { clientOf } from '#config/agents/clients.ts';
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Resumes } from '#ports/agent.ts';
import { loopItems } from '#views/actions/loop-items.ts';
import type { PreflightItem } from '#views/preflight/preflight.ts';
import {
  agentItems,
  budgetItem,
  checksItem,
  noteItems,
  proofItem,
  reviewersItems,
  sandboxItem,
  startItems,
} from '#views/preflight/preflight-items.ts';
import type { Versions } from '#views/preflight/preflight-items.ts';
import { setupItem } from './setup-item.ts';
import { uncommittedPaths } from '#adapters/git/repo/in-place.ts';

export interface Wanted {
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  readonly notes: readonly string[];
}

/** A client prints its version quickly; a slow one is not waited for. */
const versionMs = 3_000;

/** Contract: changes nothing and starts no session. Does not reject if git or a client does not answer. */
export async function readPreflight(site: Site, { config, tasks, notes }: Wanted): Promise<PreflightItem[]> {
  const [uncommitted, setup, versions] = await Promise.all([
    leftOut(site, config),
    setupItem(site, config),
    versionsOf(site, config),
  ]);
  const { head } = site;
  return [
    ...startItems(config.repo, { branch: head.branch, commit: config.repo.baseCommit, uncommitted }),
    setup,
    sandboxItem(config),
    ...agentItems(config, tasks, versions),
    ...reviewersItems(config, notes),
    ...loopItems(config, resumesIn(config)),
    checksItem(config, tasks),
    proofItem(config, tasks),
    budgetItem(config),
    ...noteItems(config, tasks, notes),
  ];
}

/** What a person changes with the command that resumes the run. */
export interface ChangedNow {
  readonly budget: BudgetLimits;
  /** False installs nothing; undefined keeps the setup. */
  readonly setup: string | false | undefined;
  /** Who chooses the next action of an action loop from now on. */
  readonly mode?: 'auto' | 'interactive' | undefined;
}

/** For a resumed run: the notes of its start still hold, and its checks are known. */
export async function readPreflightAgain(
  site: Site,
  { config, id, tasks }: Run,
  { budget, setup, mode }: ChangedNow,
): Promise<PreflightItem[]> {
  const specs = [...tasks.values()].map((task) => task.spec);
  const { repo } = config;
  const where = repo.inPlace ? ', in your own checkout' : '';
  return [
    { mark: 'ok', about: 'works on', text: `untildone/${id}, from ${repo.baseCommit.slice(0, 7)}${where}` },
    await setupItem(site, setup === undefined ? config : { ...config, setup: changed(config, setup) }),
    sandboxItem(config),
    ...agentItems(config, specs, await versionsOf(site, config)),
    ...reviewersItems(config),
    ...loopItems(withMode(config, mode), resumesIn(config)),
    budgetItem({ ...config, budget }),
    ...noteItems(config, specs, []),
  ];
}

function withMode(config: RunConfig, mode: ChangedNow['mode']): RunConfig {
  const { actions } = config.policy;
  if (mode === undefined || actions === undefined) return config;
  return { ...config, policy: { ...config.policy, actions: { ...actions, mode } } };
}

function resumesIn({ agents, roles }: RunConfig): Resumes {
  return resumesOf(agents[roles['builder']?.agent.name ?? '']?.driver ?? '');
}

function changed(config: RunConfig, setup: string | false): RunConfig['setup'] {
  return { ...config.setup, command: setup === false ? null : setup, isDetected: false };
}

/** In place, a checkout with changes is refused. */
async function leftOut({ repository, env }: Site, { repo, setup }: RunConfig): Promise<string[]> {
  return repo.inPlace ? [] : uncommittedPaths(repository, env, setup.copy).catch(() => []);
}

/** Only known clients are asked: another program may start to work on any argument it gets. */
async function versionsOf({ env }: Site, { agents }: RunConfig): Promise<Versions> {
  const versions = await Promise.all(
    Object.entries(agents).map(async ([name, agent]): Promise<[string, string | null]> => {
      const client = clientOf(agent);
      const isOwn = agent.options['binary'] !== undefined || agent.options['sdk'] !== undefined;
      if (client === null || isOwn || isWrapped(agent.options['command'], client)) return [name, null];
      return [name, await versionOf(client, allowedEnvironment(env, agent.env), versionMs)];
    }),
  );
  return new Map(versions);
}

/** `npx …` and paths start something other than the client on PATH. */
function isWrapped(command: unknown, client: string): boolean {
  const first: unknown = Array.isArray(command) ? command[0] : command;
  return typeof first === 'string' && first.split(/\s+/)[0] !== client;
}
