// Lists the known agents and which of them this machine has, for `doctor`.
import { type ProviderName, providers } from '#agents/openai/facts.ts';
import { addressOf, type ProviderMatch, probeProviders } from '#agents/openai/providers.ts';
import { agentGuide, type GuideEntry } from '#config/agents/agent-guide.ts';
import { type ClientName, knownClients } from '#config/agents/clients.ts';
import { frozenAgent } from '#config/agents/agents.ts';
import { isWithoutLogin } from '#config/agents/logged-out.ts';
import { builtInAgents } from '#config/agents/known-agents.ts';
import { isOnPath } from '#config/agents/programs.ts';
import { allowRoot } from '#kernel/model/allow-root.ts';
import { present } from '#base/assert.ts';
import { type AgentReport, payerOf, type Surroundings } from './agent-report.ts';
import { reportConfigured } from './doctor-configured.ts';
import { refusalOf } from '#app/run/refuse-agents.ts';

/** Known agents in the order of the guide, then configured ones; a configured one replaces its namesake. */
export async function reportAgents(around: Surroundings): Promise<AgentReport[]> {
  const found = await probeProviders({ env: around.ownEnv });
  const known = Object.entries(agentGuide).filter(([name]) => !around.configured.has(name));
  const reports = await Promise.all([
    ...known.map(([name, guide]) => {
      if (guide.client !== null) return reportClient(guide.client, guide, around);
      return guide.keyEnv === undefined
        ? reportServer(name, guide, found, around)
        : reportRemote(name, guide, guide.keyEnv, around);
    }),
    ...[...around.configured].map(([name, entry]) => reportConfigured(name, entry, around)),
  ]);
  return Promise.all(reports.map((report) => withRefusal(report, around)));
}

type Unrefused = Omit<AgentReport, 'refusal'>;

/** An agent that `run` refuses is not ready, whatever else was found. */
async function withRefusal(report: Unrefused, around: Surroundings): Promise<AgentReport> {
  const { name, state } = report;
  const entry = around.configured.get(name) ?? builtInAgents[name];
  if (state === 'missing' || entry === undefined) return { ...report, refusal: null };
  const plain = { agents: { [name]: frozenAgent(entry, around.agentEnv) } };
  const { agents } = around.allowRoot ? allowRoot(plain) : plain;
  const agent = present(agents[name], 'consent keeps every agent');
  const refused = await refusalOf(around, name, agent, { ...around, models: new Set() });
  if (refused === null) return { ...report, refusal: null };
  const { message, hint } = refused;
  const isNews = state === 'ready';
  return {
    ...report,
    refusal: { message, hint },
    state: 'unsure',
    next: isNews ? `${message} ${hint}` : report.next,
  };
}

async function reportClient(name: ClientName, guide: GuideEntry, around: Surroundings): Promise<Unrefused> {
  const program = around.programs.find((one) => one.name === name);
  const { elsewhere } = knownClients[name];
  const isElsewhere = (await elsewhere?.isHere(around.ownEnv)) === true;
  const same = { ...guideOf(name, guide), kind: 'client' as const, address: null, models: [], nameIt: name };
  if (program === undefined && !isElsewhere)
    return { ...same, state: 'missing', version: null, payer: null, next: guide.install };
  const version = program === undefined ? `by its ${elsewhere?.what ?? ''}` : program.version;
  const payer = await payerOf(name, builtInAgents[name], around);
  const isPaid = !isWithoutLogin(payer);
  return { ...same, state: isPaid ? 'ready' : 'unsure', version, payer, next: isPaid ? null : guide.begin };
}

async function reportServer(
  name: string,
  guide: GuideEntry,
  here: readonly ProviderMatch[],
  around: Surroundings,
): Promise<Unrefused> {
  const found = here.find((one) => one.provider === name);
  const address = found?.baseUrl ?? addressOf(name as ProviderName, around.ownEnv);
  const same = { ...guideOf(name, guide), kind: 'endpoint' as const, address, version: null };
  if (found === undefined) {
    const isHere = await isOnPath(providers[name as ProviderName].program ?? name, around.ownEnv);
    const next = isHere ? `nothing answers at ${address}: ${guide.begin}` : guide.install;
    const install = isHere ? null : guide.install;
    return { ...same, install, state: 'missing', payer: null, models: [], next, nameIt: `${name}:MODEL` };
  }
  const [first] = found.models;
  return {
    ...same,
    state: first === undefined ? 'unsure' : 'ready',
    payer: await payerOf(name, builtInAgents[name], around),
    models: found.models,
    next: first === undefined ? `it has no model yet: ${guide.begin}` : null,
    nameIt: `${name}:${first ?? 'MODEL'}`,
  };
}

/** No request goes over the network: only the key can be checked from here. */
async function reportRemote(
  name: string,
  guide: GuideEntry,
  keyEnv: string,
  around: Surroundings,
): Promise<Unrefused> {
  const hasKey = (around.env[keyEnv] ?? '').trim() !== '';
  return {
    ...guideOf(name, guide),
    kind: 'endpoint',
    state: hasKey ? 'ready' : 'missing',
    version: null,
    payer: hasKey ? await payerOf(name, builtInAgents[name], around) : null,
    address: addressOf(name as ProviderName, around.ownEnv),
    models: [],
    next: hasKey ? null : guide.begin,
    nameIt: `${name}:MODEL`,
  };
}

function guideOf(name: string, { title, install, begin, can }: GuideEntry) {
  return { name, title, install, begin, can };
}
