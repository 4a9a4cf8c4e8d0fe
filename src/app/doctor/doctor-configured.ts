// Reports on configured agents for `doctor`.
import { type ProviderName, providers } from '#agents/openai/facts.ts';
import { addressOf, modelsAt, modelsMsMax } from '#agents/openai/providers.ts';
import { abilitiesOf, agentGuide } from '#config/agents/agent-guide.ts';
import { clientNames, clientOf, knownClients } from '#config/agents/clients.ts';
import type { AgentEntry } from '#config/layers.ts';
import { isWithoutLogin } from '#config/agents/logged-out.ts';
import { refuseMissing } from '#config/agents/programs.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type AgentReport, payerOf, type Surroundings } from './agent-report.ts';

export async function reportConfigured(
  name: string,
  entry: AgentEntry,
  around: Surroundings,
): Promise<Omit<AgentReport, 'refusal'>> {
  const { driver, env: _, ...options } = entry;
  const client = clientOf({ driver, env: [], options });
  const guide = client === null ? undefined : agentGuide[client];
  const program = around.programs.find((one) => one.name === client);
  const address = driver === 'openai' ? endpointOf(entry, around) : null;
  const same = {
    name,
    title: titleOf(entry),
    kind: 'configured' as const,
    address,
    install: guide?.install ?? null,
    begin: guide?.begin ?? null,
    nameIt: name,
    can: guide?.can ?? abilitiesOf(driver),
  };
  // Another program of that name has another version.
  const version = entry['binary'] === undefined ? (program?.version ?? null) : null;
  const missing = await whatIsMissing(name, entry, around);
  if (missing !== null)
    return { ...same, state: 'missing', version: null, payer: null, models: [], next: missing };
  const models = address !== null && isLocal(address) ? await ask(address, entry) : [];
  if (models === null) {
    const next = `nothing answers at ${address ?? ''}: check it with curl ${address ?? ''}/models`;
    return { ...same, state: 'missing', version: null, payer: null, models: [], next };
  }
  const payer = await payerOf(name, entry, around);
  const isPaid = !isWithoutLogin(payer);
  const next = isPaid ? null : (guide?.begin ?? null);
  return { ...same, state: isPaid ? 'ready' : 'unsure', version, payer, models, next };
}

/** `acp: my-agent --acp` */
function titleOf({ driver, command, binary, provider, baseUrl, script, model }: AgentEntry): string {
  const what = [command, binary, baseUrl ?? provider, script]
    .flat()
    .filter((one): one is string => typeof one === 'string')
    .join(' ');
  const agentText = what === '' ? driver : `${driver}: ${what.replaceAll(/\s+/g, ' ').slice(0, 60)}`;
  return typeof model === 'string' ? `${agentText}, model ${model}` : agentText;
}

async function whatIsMissing(name: string, entry: AgentEntry, around: Surroundings): Promise<string | null> {
  try {
    await refuseMissing(name, entry, around.env);
    return await whereNowhere(entry, around);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const message = error.message.replace(/^The agent .* cannot be started: /, '');
    return `${message} ${error.hint.replace(/; `untildone doctor` says.*$/, '.')}`;
  }
}

/** A client whose program need not be on PATH must still exist somewhere. */
async function whereNowhere(
  { driver, binary }: AgentEntry,
  { programs, ownEnv }: Surroundings,
): Promise<string | null> {
  const client = clientNames.find((name) => name === driver);
  const elsewhere = client === undefined ? null : knownClients[client].elsewhere;
  if (client === undefined || elsewhere === null || binary !== undefined) return null;
  const isHere = programs.some((one) => one.name === client) || (await elsewhere.isHere(ownEnv));
  return isHere ? null : `there is no program "${client}" on PATH and no ${elsewhere.what}`;
}

export function endpointOf(
  { baseUrl, provider }: AgentEntry,
  { ownEnv }: Pick<Surroundings, 'ownEnv'>,
): string | null {
  if (typeof baseUrl === 'string') return baseUrl.replace(/\/+$/, '');
  if (typeof provider !== 'string' || !Object.hasOwn(providers, provider)) return null;
  return addressOf(provider as ProviderName, ownEnv);
}

/** A remote endpoint is not asked: that may cost money, or reveal that we are here. */
export function isLocal(address: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(address);
}

async function ask(address: string, { provider, apiKeyEnv }: AgentEntry): Promise<string[] | null> {
  // An endpoint that wants a key first is not asked without it.
  if (apiKeyEnv !== undefined) return [];
  return modelsAt(address, { timeoutMs: modelsMsMax, isOllama: provider === 'ollama' });
}
