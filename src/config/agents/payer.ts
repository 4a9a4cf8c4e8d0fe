// Decides who pays for each agent before money is spent, and which variables the agent gets for it.
import { isIP } from 'node:net';
import { type ProviderFacts, providers } from '#agents/openai/facts.ts';
import type { ClientFacts, Login, ReadText } from '#agents/shared/client-facts.ts';
import { isSet } from '#base/is-set.ts';
import type { AgentConfig, Payer, RunConfig } from '#kernel/model/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { allowedEnvironment } from './agent-env.ts';
import { type ClientName, clientOf, knownClients } from './clients.ts';
import { driverFacts } from './known-agents.ts';
import type { Environment } from '#config/env-file.ts';

/** The user's choice: the client's own login, or a key. */
export type PayWish = 'login' | 'key';

export interface PayerInput {
  readonly agents: RunConfig['agents'];
  /** With the repository's `.env`. */
  readonly env: Environment;
  /** Without it. */
  readonly ownEnv: Environment;
  readonly wish: PayWish | null;
  /** Models that the roles name, by agent. */
  readonly models: { readonly [agent: string]: readonly string[] };
  /** Contract: null for a file that cannot be read. */
  readonly read: ReadText;
}

/**
 * Contract: an agent sees a key only if that key pays; of a variable only the name is frozen. Rejects with
 * the code `who-pays` if `.env` has a key, a login exists too, and the user chose neither.
 */
export async function settlePayers(input: PayerInput): Promise<RunConfig['agents']> {
  const settled: { [name: string]: AgentConfig } = {};
  for (const [name, agent] of Object.entries(input.agents)) {
    const { payer, env } = await settle(name, agent, input);
    settled[name] = { ...agent, env, payer };
  }
  return settled;
}

interface Settled {
  readonly payer: Payer;
  readonly env: readonly string[];
}

async function settle(name: string, agent: AgentConfig, input: PayerInput): Promise<Settled> {
  const client = clientOf(agent);
  if (client !== null) return settleClient(client, agent, input);
  if (agent.driver === 'openai') return settleEndpoint(agent, input, input.models[name] ?? []);
  const whyFree = driverFacts(agent.driver)?.whyFree ?? null;
  const payer: Payer =
    whyFree === null ? { kind: 'unknown', name: "the agent's own login" } : { kind: 'nobody', name: whyFree };
  return { payer, env: agent.env };
}

async function settleClient(name: ClientName, agent: AgentConfig, input: PayerInput): Promise<Settled> {
  const client = knownClients[name];
  // Settings in its own configuration count like the person's own environment.
  const visibleEnv = allowedEnvironment(
    input.ownEnv,
    client.settings.filter((one) => isSet(input.ownEnv[one])),
    agent.env,
  );
  const settings = client.settings.filter((one) => isSet(input.ownEnv[one]));
  const cloud = client.cloud({ ...input.ownEnv, ...visibleEnv });
  if (cloud !== null && input.wish === null) {
    const variables = cloud.variables.filter((one) => isSet(input.ownEnv[one]));
    return { payer: { kind: 'account', name: cloud.name }, env: joined(settings, variables, agent.env) };
  }
  const means = await findMeans(client, agent, { ...input, visibleEnv });
  const chosen = choose(name, client, means, input.wish);
  const kept = agent.env.filter(
    (entry) => !client.keys.includes(nameOf(entry)) || nameOf(entry) === chosen.key,
  );
  const own = [chosen.key, chosen.login?.variable].filter((one) => one !== undefined && one !== null);
  const address = visibleEnv[client.address];
  const payer: Payer = isSet(address)
    ? { kind: 'unknown', name: `the operator of ${address}` }
    : payerOf(client, chosen, means);
  return { payer, env: joined(settings, own, kept) };
}

interface Means {
  readonly login: Login | null;
  /** Named by the configuration of this agent. */
  readonly named: string | null;
  /** In the person's own environment. */
  readonly own: string | null;
  /** In the repository's `.env` alone. */
  readonly inFile: string | null;
}

async function findMeans(
  client: ClientFacts,
  agent: AgentConfig,
  { env, ownEnv, visibleEnv, read }: PayerInput & { readonly visibleEnv: Environment },
): Promise<Means> {
  const names = agent.env.map(nameOf);
  const tokens = allowedEnvironment(env, client.tokens);
  const agentEnv = allowedEnvironment(env, agent.env);
  return {
    login: await client.findLogin({ ...ownEnv, ...tokens, ...visibleEnv }, read),
    named: client.keys.find((key) => names.includes(key) && isSet(agentEnv[key])) ?? null,
    own: client.keys.find((key) => isSet(ownEnv[key])) ?? null,
    inFile: client.keys.find((key) => isSet(env[key]) && !isSet(ownEnv[key])) ?? null,
  };
}

interface Chosen {
  readonly login: Login | null;
  readonly key: string | null;
}

function choose(name: ClientName, client: ClientFacts, means: Means, wish: PayWish | null): Chosen {
  const { login, named, own, inFile } = means;
  if (wish === 'login') {
    if (login === null) throw noLogin(client);
    return { login, key: null };
  }
  const key = named ?? own ?? inFile;
  if (wish === 'key') {
    if (key === null) throw noKey(client);
    return { login: null, key };
  }
  if (named !== null) return { login: null, key: named };
  if (own !== null && (login === null || client.strongKeys.includes(own))) return { login: null, key: own };
  if (login !== null && own === null && inFile !== null) throw whoPays(name, client, login, inFile);
  return login === null ? { login, key } : { login, key: null };
}

function payerOf(client: ClientFacts, { login, key }: Chosen, { inFile }: Means): Payer {
  if (key !== null) return { kind: 'key', name: key === inFile ? `${key} (from .env)` : key };
  if (login !== null) return { kind: login.kind, name: login.name };
  return { kind: 'unknown', name: `no login and no key was found (${client.howToLogIn})` };
}

/** There is no login for an endpoint: a key, or nothing. */
function settleEndpoint(agent: AgentConfig, input: PayerInput, models: readonly string[]): Settled {
  const { provider, baseUrl, apiKeyEnv, headers, model } = agent.options;
  const known = providerNamed(provider);
  const byProvider = baseUrl === undefined ? (known?.apiKeyEnv ?? undefined) : undefined;
  const key = typeof apiKeyEnv === 'string' ? apiKeyEnv : byProvider;
  const addressEnv = known?.addressEnv ?? '';
  const host = isSet(input.ownEnv[addressEnv]) ? [addressEnv] : [];
  const env = joined(host, key === undefined ? [] : [key], namesIn(headers), agent.env);
  const isElsewhere = [...models, model].some((one) => typeof one === 'string' && /[:-]cloud$/.test(one));
  if (isSet(allowedEnvironment(input.env, env)[key ?? ''])) {
    const isInFile =
      key !== undefined && !isSet(input.ownEnv[key]) && !agent.env.some((one) => one.startsWith(`${key}=`));
    return { payer: { kind: 'key', name: `${key ?? ''}${isInFile ? ' (from .env)' : ''}` }, env };
  }
  if (key !== undefined) return { payer: { kind: 'unknown', name: `${key} is not set` }, env };
  const address = typeof baseUrl === 'string' ? baseUrl : (input.ownEnv[addressEnv] ?? '');
  const isLocal = typeof baseUrl === 'string' || host.length > 0 ? isLoopback(address) : true;
  if (isElsewhere) return { payer: { kind: 'unknown', name: 'the model runs elsewhere' }, env };
  return isLocal
    ? { payer: { kind: 'nobody', name: 'a local model' }, env }
    : { payer: { kind: 'unknown', name: `the operator of ${address}` }, env };
}

function providerNamed(name: unknown): ProviderFacts | null {
  const known: { readonly [name: string]: ProviderFacts } = providers;
  return typeof name === 'string' && Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}

function namesIn(headers: unknown): string[] {
  return [...JSON.stringify(headers ?? {}).matchAll(/\$\{(\w+)\}/g)].map((found) => found[1] ?? '');
}

function isLoopback(address: string): boolean {
  const url = URL.parse(
    /^https?:\/\//i.test(address) ? address : `http://${address.replace(/^:/, '127.0.0.1:')}`,
  );
  const host = (url?.hostname ?? '').replaceAll(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || host === '0.0.0.0' || host === '::') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

function nameOf(entry: string): string {
  return entry.split('=')[0] ?? '';
}

/** Each name once; the last one wins, as it does on reading. */
function joined(...lists: readonly (readonly string[])[]): string[] {
  const byName = new Map(lists.flat().map((entry) => [nameOf(entry), entry]));
  return [...byName.values()];
}

function whoPays(name: ClientName, { title }: ClientFacts, login: Login, variable: string): OperatorError {
  return new OperatorError(
    'who-pays',
    `${title} can be paid by ${login.name} or by the key ${variable} in .env. Choose one.`,
    `Use --pay login or --pay key. To keep the choice: "pay" in .untildone/config.jsonc, or "env": ["${variable}"] of the agent ${name}.`,
  );
}

function noLogin({ title, howToLogIn }: ClientFacts): OperatorError {
  return new OperatorError(
    'no-login',
    `${title} should be paid by its login, and no login was found.`,
    `Log in: ${howToLogIn}. Or pay by a key: --pay key`,
  );
}

function noKey({ title, keys, usualKey }: ClientFacts): OperatorError {
  return new OperatorError(
    'no-api-key',
    `${title} should be paid by a key, and ${keys.length === 1 ? '' : 'none of '}${keys.join(', ')} is set.`,
    `Set one: export ${usualKey}=… Or pay by your login: --pay login`,
  );
}
