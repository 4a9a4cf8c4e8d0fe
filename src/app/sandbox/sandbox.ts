// Chooses the sandbox of a run on this machine, and opens it.
import { join } from 'node:path';
import { knownSettings } from '#adapters/sandbox/git-settings.ts';
import { noSandbox } from '#adapters/processes/no-sandbox.ts';
import { needsOf } from '#config/agents/client-needs.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import type { AgentConfig, RunConfig, SandboxConfig } from '#kernel/model/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Sandbox, SandboxOrder } from '#ports/sandbox.ts';
import { findBubblewrap } from '#adapters/sandbox/bubblewrap/find-bubblewrap.ts';
import { usableSrt } from '#adapters/sandbox/srt/find-srt.ts';
import { createSandbox, type SandboxTools } from './create-sandbox.ts';
import type { CheckDepsOptions } from '#app/check-deps.ts';
import { entryOf } from '#app/own-files.ts';
import { agentRules, checkRules, type RulesInput } from './sandbox-rules.ts';
import { cacheDirOf, runPathsOf, type Site, stateDirOf, worktreeOf } from '#app/site.ts';

/** `auto` becomes what this machine has. Contract: refuses a run that requires a sandbox if there is none. */
export function settleSandbox(config: RunConfig): RunConfig {
  const { sandbox } = config;
  if (sandbox === undefined) return config;
  const settled = { ...sandbox, ...chooseSandbox(sandbox) };
  if (settled.kind === 'none' && sandbox.isRequired && sandbox.kind !== 'none') throw refusal(settled);
  const undescribed = undescribedOf(config.agents, settled);
  return { ...config, sandbox: undescribed.length === 0 ? settled : { ...settled, undescribed } };
}

/** Agents whose needs neither we nor the person described. */
function undescribedOf(agents: RunConfig['agents'], sandbox: SandboxConfig): string[] {
  const { kind, allowHosts, allowWrite, allowRead } = sandbox;
  if (kind === 'none' || allowHosts.length + allowWrite.length + allowRead.length > 0) return [];
  return Object.keys(agents).filter((name) => {
    const agent = agents[name];
    return agent !== undefined && agent.driver !== attachedDriver && needsOf(agent, {}, '/') === null;
  });
}

export function chooseSandbox({ kind, why }: SandboxConfig): Pick<SandboxConfig, 'kind' | 'why'> {
  if (kind === 'none') return { kind, why: why === '' ? 'you asked for that' : why };
  const bubblewrap = findBubblewrap();
  if (kind !== 'srt' && 'path' in bubblewrap) return { kind: 'bubblewrap', why: '' };
  const srt = usableSrt();
  if (kind !== 'bubblewrap' && 'path' in srt) return { kind: 'srt', why: '' };
  const problems = [kind === 'srt' ? null : bubblewrap, kind === 'bubblewrap' ? null : srt].flatMap((found) =>
    found !== null && 'problem' in found ? [found.problem] : [],
  );
  return { kind: 'none', why: problems.join('; ') };
}

function refusal({ why }: SandboxConfig): OperatorError {
  return new OperatorError(
    'no-sandbox',
    `Agents and checks cannot be sandboxed here: ${why}.`,
    'Install what is missing (`untildone doctor` shows what works), or run with your own rights: --allow-unsandboxed',
  );
}

interface AgentSession {
  readonly name: string;
  /** Session data is separate per role, so that a builder cannot instruct a verifier through it. */
  readonly role: string;
  readonly env: { readonly [name: string]: string };
}

export interface RunSandboxes {
  /** For checks and setup. */
  readonly checks: Sandbox;
  /** For the hosts of an agent's sessions; null if the agent runs with the rights of the user. */
  forAgent(session: AgentSession): SandboxOrder | null;
}

const noSandboxes: RunSandboxes = { checks: noSandbox, forAgent: () => null };

/** Contract: refuses a run that was made with a sandbox if this machine has none. */
export async function openSandboxes(
  site: Site,
  runId: string,
  config: RunConfig,
  { isNetworkShared = false }: Pick<SandboxTools, 'isNetworkShared'> = {},
): Promise<RunSandboxes> {
  const { sandbox } = config;
  if (sandbox === undefined || sandbox.kind === 'none') return noSandboxes;
  const settled = chooseSandbox(sandbox);
  if (settled.kind === 'none' || settled.kind === 'auto') throw refusal({ ...sandbox, ...settled });
  const { kind } = settled;
  const rules = await checkRules(inputOf(site, runId, { ...config, sandbox }));
  const clients = join(runPathsOf(site, runId).folder, 'clients');
  return {
    checks: createSandbox({ kind, rules }, { hostEntry: entryOf('host'), env: site.ownEnv, isNetworkShared }),
    forAgent: ({ name, role, env }) => {
      const agent: AgentConfig | undefined = config.agents[name];
      if (agent === undefined || sandbox.outside?.includes(name) === true) return null;
      return {
        kind,
        gitSettings: knownSettings(),
        rules: agentRules(rules, {
          agent,
          env,
          ownDir: join(clients, role.replaceAll(/[^\w-]/g, '-')),
          hasStandIns: kind === 'bubblewrap',
        }),
      };
    },
  };
}

/**
 * For checks repeated outside the driver. An agent's work is checked in the sandbox of its run;
 * on a machine without one, a note says so.
 */
export async function checksSandboxOf(
  site: Site,
  { runId, config, onNote }: Pick<CheckDepsOptions, 'runId' | 'config' | 'onNote'>,
): Promise<Sandbox> {
  const opened = await openSandboxes(site, runId, config).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    onNote(`NOT SANDBOXED: ${error.message}`);
    return noSandboxes;
  });
  return opened.checks;
}

function inputOf(
  site: Site,
  runId: string,
  { repo, sandbox }: RunConfig & { readonly sandbox: SandboxConfig },
): RulesInput {
  return {
    root: site.root,
    commonDir: site.commonDir,
    stateDir: stateDirOf(site),
    workspaces: [repo.inPlace ? site.root : worktreeOf(site, runId), `${cacheDirOf(site)}/clean`],
    env: site.ownEnv,
    sandbox,
  };
}
