// Checks whether every agent of a run can start here, before anything is made for the run.
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { printedBy } from '#adapters/machine/probe.ts';
import { headersOf } from '#agents/openai/endpoint.ts';
import { parseOpenaiOptions } from '#agents/openai/openai-options.ts';
import { type ProviderName, providers } from '#agents/openai/facts.ts';
import { modelsAt } from '#agents/openai/providers.ts';
import { endpointOf, isLocal } from '#app/doctor/doctor-configured.ts';
import { createAgent } from '#app/host.ts';
import type { Site } from '#app/site.ts';
import { allowedEnvironment } from '#config/agents/agent-env.ts';
import { clientNames, clientOf, knownClients } from '#config/agents/clients.ts';
import { driverFacts } from '#config/agents/known-agents.ts';
import { howToLogIn, isLoggedOut } from '#config/agents/logged-out.ts';
import { isProgramHere, refuseMissing } from '#config/agents/programs.ts';
import { suggest } from '#base/suggest.ts';
import { allowRoot } from '#kernel/model/allow-root.ts';
import type { AgentConfig, RunConfig } from '#kernel/model/config.ts';
import { attachedDriver } from '#kernel/decide/attached.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { asOperatorError, OperatorError } from '#base/operator-error.ts';

type Place = Pick<Site, 'env' | 'ownEnv' | 'root'>;

/** A local server answers in milliseconds; a busy one is not waited for. */
const modelsMs = 3_000;
/** Longer, because a client has to start first. */
const clientMs = 10_000;

/**
 * Contract: changes nothing; rejects with one OperatorError for all agents with the same kind of problem.
 * Refuses only what is certain: a missing program, an unknown driver or option, a client without login and
 * key, a client that refuses root, a model that its own endpoint does not list.
 */
export async function refuseAgents(place: Place, config: RunConfig, tasks: readonly Task[]): Promise<void> {
  const models = modelsByAgent(config, tasks);
  const refusals = await Promise.all(
    Object.entries(config.agents).map(([name, agent]) =>
      refusalOf(place, name, agent, { sandbox: config.sandbox, models: models.get(name) ?? new Set() }),
    ),
  );
  const [first, ...others] = refusals.filter((refusal) => refusal !== null);
  if (first === undefined) return;
  const alike = [first, ...others.filter(({ code }) => code === first.code)];
  const joined = (texts: readonly string[]): string => [...new Set(texts)].join('\n');
  throw new OperatorError(
    first.code,
    joined(alike.map(({ message }) => message)),
    joined(alike.map(({ hint }) => hint)),
  );
}

/** Programs, logins and servers may have disappeared since the start froze the settings. */
export async function refuseAgentsOfRun(
  place: Place,
  run: Run,
  { allowRoot: isAllowed = false, command }: { readonly allowRoot?: boolean; readonly command: string },
): Promise<void> {
  const tasks = [...run.tasks.values()].map((task) => task.spec);
  const config = isAllowed ? allowRoot(run.config) : run.config;
  await refuseAgents(place, config, tasks).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || error.code !== 'agent-as-root') throw error;
    const hint = `In a container or a disposable machine: ${command} --allow-root. Otherwise resume as the user who started it.`;
    throw new OperatorError(error.code, error.message, hint);
  });
}

interface Wanted {
  readonly sandbox: RunConfig['sandbox'];
  /** Models that roles and tasks ask of this agent; null: the agent's own choice. */
  readonly models: ReadonlySet<string | null>;
}

export async function refusalOf(
  place: Place,
  name: string,
  agent: AgentConfig,
  { sandbox, models }: Wanted,
): Promise<OperatorError | null> {
  try {
    await refuseMissing(name, { ...agent.options, driver: agent.driver }, place.env);
    // An unknown driver, or an option that it does not know. An attached session has no driver of ours.
    if (agent.driver !== attachedDriver)
      await createAgent({ driver: agent.driver, options: agent.options }, ['node']);
    await refuseByDriver(place, name, agent, sandbox);
    await refuseLoggedOut(place, agent);
    if (agent.driver === 'openai') await refuseEndpoint(place, name, agent, models);
    if (agent.driver === 'acp') await refuseUnlistedModel(place, name, agent, models);
    return null;
  } catch (error) {
    return asOperatorError(error);
  }
}

async function refuseByDriver(
  place: Place,
  name: string,
  agent: AgentConfig,
  sandbox: Wanted['sandbox'],
): Promise<void> {
  const env = allowedEnvironment(place.env, agent.env);
  // In bubblewrap it runs as another user than root.
  const isSandboxed = sandbox?.kind === 'bubblewrap' && sandbox.outside?.includes(name) !== true;
  await driverFacts(agent.driver)?.refuse?.({
    name,
    options: agent.options,
    env,
    isRoot: process.getuid?.() === 0 && !isSandboxed,
    isProgramHere: (program) => isProgramHere(program, env),
  });
}

async function refuseLoggedOut(place: Place, agent: AgentConfig): Promise<void> {
  const read = async (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
  const client = clientOf(agent);
  if (client === null || !(await isLoggedOut(agent, { ...place, read }))) return;
  throw new OperatorError(
    'no-login',
    `${knownClients[client].title} is not logged in, and no key was found.`,
    howToLogIn(client),
  );
}

/** A list of models costs nothing; a late or incomplete list refuses nothing. */
async function refuseEndpoint(
  { env, ownEnv }: Place,
  name: string,
  { options, env: agentEnv }: AgentConfig,
  models: Wanted['models'],
): Promise<void> {
  const address = endpointOf({ ...options, driver: 'openai' }, { ownEnv });
  if (address === null) return;
  const known = isProvider(options['provider']) ? options['provider'] : null;
  const headers = headersOf(parseOpenaiOptions(options), { ...env, ...allowedEnvironment(env, agentEnv) });
  const listed = await modelsAt(address, { timeoutMs: modelsMs, isOllama: known === 'ollama', headers });
  if (listed === null && isLocal(address) && (await isClosed(address)))
    throw new OperatorError(
      'no-endpoint',
      `The server of agent ${name} does not run: nothing listens at ${address}.`,
      known === null
        ? `Start it, then check it with: curl ${address}/models`
        : sentence(providers[known].start),
    );
  // llama.cpp serves its one model whatever name is asked for.
  if (listed === null || listed.length === 0 || known === 'llamacpp') return;
  const isKnown = isLocal(address) ? isListed : isListedByVendor;
  for (const model of models)
    if (model !== null && !isKnown(model, listed)) throw unknownModel(name, model, listed, known);
}

/** For a client that lists its models; if it does not answer in time, its session finds out. */
async function refuseUnlistedModel(
  { env }: Place,
  name: string,
  agent: AgentConfig,
  models: Wanted['models'],
): Promise<void> {
  const { command } = agent.options;
  const program: unknown = Array.isArray(command) ? command[0] : command;
  const wanted = [...models].filter((model) => model !== null);
  const client = clientNames.find((one) => one === program);
  const list = client === undefined ? null : knownClients[client].listModels;
  if (list === null || wanted.length === 0) return;
  const printed = await printedBy(list.command, allowedEnvironment(env, agent.env), clientMs);
  const listed = (printed ?? '').split(/\s+/).filter((word) => list.word.test(word));
  if (listed.length === 0) return;
  for (const model of wanted) if (!isListed(model, listed)) throw unknownModel(name, model, listed, null);
}

function isListed(model: string, listed: readonly string[]): boolean {
  return listed.some((one) => one === model || one === `${model}:latest` || one.includes('*'));
}

/** A vendor accepts more names than it lists: without a date or folder, with a variant after a colon. */
export function isListedByVendor(model: string, listed: readonly string[]): boolean {
  const isVariant = (one: string): boolean =>
    one.startsWith(`${model}-`) || one.endsWith(`/${model}`) || model.startsWith(`${one}:`);
  return isListed(model, listed) || listed.some(isVariant);
}

function unknownModel(
  name: string,
  model: string,
  listed: readonly string[],
  provider: ProviderName | null,
): OperatorError {
  const near = suggest(model, listed) ?? listed[0] ?? 'MODEL';
  const shown = `${listed.slice(0, 5).join(', ')}${listed.length > 5 ? ` and ${listed.length - 5} more` : ''}`;
  return new OperatorError(
    'unknown-model',
    `The agent ${name} has no model "${model}"; it has ${shown}.`,
    `Choose one of them: --agent ${name}:${near}${provider === 'ollama' ? `, or get it: ollama pull ${model}` : ''}`,
  );
}

/** Whether the connection is refused; any other error may come from a slow server. */
async function isClosed(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
    timeout: modelsMs,
  });
  socket
    .on('connect', () => resolve(false))
    .on('timeout', () => resolve(false))
    .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
  return promise.finally(() => socket.destroy());
}

function modelsByAgent(
  { roles, policy: { routing } }: RunConfig,
  tasks: readonly Task[],
): Map<string, Set<string | null>> {
  const choices: AgentChoice[] = [
    ...Object.values(roles).map(({ agent }) => agent),
    ...tasks.flatMap((task) => Object.values(task.agents ?? {})),
    ...(routing?.fallbacks ?? []),
    ...Object.values(routing?.domains ?? {}).flat(),
  ];
  const models = new Map<string, Set<string | null>>();
  for (const { name, model } of choices) models.set(name, (models.get(name) ?? new Set()).add(model));
  return models;
}

function isProvider(name: unknown): name is ProviderName {
  return typeof name === 'string' && Object.hasOwn(providers, name);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
