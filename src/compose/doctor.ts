// Which agents this machine has, what they can do, and who would pay: for `doctor`.
import { readFile } from 'node:fs/promises';
import { findSdk } from '#adapters/agents/claude/find-sdk.ts';
import type { FoundProvider } from '#adapters/agents/openai/providers.ts';
import { addressOf, probeProviders } from '#adapters/agents/openai/providers.ts';
import type { Probe } from '#adapters/machine/probe.ts';
import type { Abilities, GuideEntry } from '#config/agent-guide.ts';
import { agentGuide } from '#config/agent-guide.ts';
import { builtInAgents } from '#config/known-agents.ts';
import { settlePayers } from '#config/payer.ts';
import { isOnPath } from '#config/programs.ts';
import type { Payer } from '#kernel/config.ts';
import { OperatorError } from '#ports/operator-error.ts';

export interface AgentReport {
  readonly name: string;
  readonly title: string;
  /** `unsure`: it is here, and no login and no key was found; only trying tells. */
  readonly state: 'ready' | 'unsure' | 'missing';
  readonly version: string | null;
  readonly payer: Payer | null;
  /** Of a local server that answers. */
  readonly models: readonly string[];
  /** What to do before it can be used, or null. */
  readonly next: string | null;
  /** What follows `--agent`. */
  readonly nameIt: string;
  readonly can: Abilities;
}

export interface Surroundings {
  /** Versions of the programs that are on PATH: asking each takes seconds, so it is done once. */
  readonly programs: Probe['agents'];
  readonly env: { readonly [name: string]: string };
  /** Without a repository's `.env`. */
  readonly ownEnv: { readonly [name: string]: string };
}

/** In the order of the guide; servers that few people run are told of only when they answer. */
export async function reportAgents(around: Surroundings): Promise<AgentReport[]> {
  const providers = await probeProviders({ env: around.ownEnv });
  const reports = await Promise.all(
    Object.entries(agentGuide).map(([name, guide]) =>
      guide.client === null
        ? reportServer(name, guide, providers, around)
        : reportClient(name, guide, around),
    ),
  );
  return reports.filter((report) => report.state !== 'missing' || !quietWhenMissing.has(report.name));
}

const quietWhenMissing = new Set(['vllm', 'llamacpp']);

async function reportClient(name: string, guide: GuideEntry, around: Surroundings): Promise<AgentReport> {
  const program = around.programs.find((one) => one.name === name);
  const hasSdk = name === 'claude' && findSdk(null, around.ownEnv) !== null;
  const same = { name, title: guide.title, models: [], nameIt: name, can: guide.can };
  if (program === undefined && !hasSdk)
    return { ...same, state: 'missing', version: null, payer: null, next: guide.install };
  const version = program === undefined ? 'by its SDK' : program.version;
  const payer = await payerOf(name, around);
  const isPaid = payer.kind !== 'unknown' || !payer.name.startsWith('no login');
  return { ...same, state: isPaid ? 'ready' : 'unsure', version, payer, next: isPaid ? null : guide.begin };
}

async function reportServer(
  name: string,
  guide: GuideEntry,
  providers: readonly FoundProvider[],
  around: Surroundings,
): Promise<AgentReport> {
  const found = providers.find((one) => one.provider === name);
  const same = { name, title: guide.title, version: null, can: guide.can };
  if (found === undefined) {
    const isHere = await isOnPath(name === 'lmstudio' ? 'lms' : name, around.ownEnv);
    const place = addressOf(name === 'lmstudio' ? 'lmstudio' : 'ollama', around.ownEnv);
    const next = isHere ? `nothing answers at ${place}: ${guide.begin}` : guide.install;
    return { ...same, state: 'missing', payer: null, models: [], next, nameIt: `${name}:MODEL` };
  }
  const [first] = found.models;
  return {
    ...same,
    state: first === undefined ? 'unsure' : 'ready',
    payer: await payerOf(name, around),
    models: found.models,
    next: first === undefined ? `it has no model yet: ${guide.begin}` : null,
    nameIt: `${name}:${first ?? 'MODEL'}`,
  };
}

async function payerOf(name: string, { env, ownEnv }: Surroundings): Promise<Payer> {
  const { driver = name, ...options } = builtInAgents[name] ?? {};
  try {
    const settled = await settlePayers({
      agents: { [name]: { driver, env: [], options } },
      env,
      ownEnv,
      wish: null,
      models: {},
      read: (path) => readFile(path, 'utf8').catch(() => null),
    });
    return settled[name]?.payer ?? { kind: 'unknown', name: '' };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { kind: 'unknown', name: 'your login or a key in .env; say --pay login or --pay key' };
  }
}
