// Assigns agents to roles, for the run and for single tasks: from `agents`, `roles`, `tasks` and `--agent`.
import { allowRoot } from '#kernel/model/allow-root.ts';
import type { AgentConfig, RunConfig } from '#kernel/model/config.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type EnvironmentSpec, joinSpecs } from './agent-env.ts';
import { agentWishes, type Sources } from './agent-wishes.ts';
import type { Environment } from '#config/env-file.ts';
import { type AgentEntry, type Layer, namesBelow, setting } from '#config/layers.ts';
import { clientNames } from './clients.ts';
import { builtInAgents, driverFacts, givesVerdicts } from './known-agents.ts';
import { programsOnPath } from './programs.ts';
import { didYouMean } from '#base/suggest.ts';

export interface Cast {
  readonly agents: RunConfig['agents'];
  readonly choices: { readonly [role: string]: AgentChoice };
  /** Only tasks that have their own choice. */
  readonly tasks: ReadonlyMap<string, NonNullable<Task['agents']>>;
  /** Other named agents, by the text that names them. */
  readonly others: ReadonlyMap<string, AgentChoice>;
  /** Reviewers for which only an agent without verdicts was found, with its name; tasks may differ. */
  readonly withoutVerdicts: ReadonlyMap<string, string>;
}

export interface CastInput extends Sources {
  /** Paths on the command line are relative to this. */
  readonly cwd: string;
  readonly env: Environment;
  /** Agents that play no role at the start. */
  readonly others?: readonly string[];
  /** Roles that need an agent with verdicts, unless one is named for the role. */
  readonly reviewers?: readonly string[];
}

export async function castRoles(input: CastInput): Promise<Cast> {
  const configured = configuredAgents(input.settings);
  const used = new Map<string, AgentEntry>();
  const parse = (text: string | undefined): Named | null =>
    text === undefined ? null : parseAgent(text, input.cwd, configured);
  const entryOf = ({ inline, name }: Named): AgentEntry | undefined =>
    inline ?? configured.get(name) ?? builtIn(name);
  const isFit = (role: string, named: Named | null): boolean => {
    const entry = named === null || input.reviewers?.includes(role) !== true ? undefined : entryOf(named);
    return entry === undefined || givesVerdicts(entry);
  };
  const wishes = agentWishes(input, (role, text) => isFit(role, parse(text)));
  const admit = async (named: Named, where: string | null = null): Promise<AgentChoice> => {
    const { name } = named;
    const entry = entryOf(named);
    if (entry === undefined) throw await unknownAgent(name, configured, input.env, where);
    refuseUnnamedModel(named, entry);
    used.set(name, entry);
    return { name, model: named.model ?? modelOf(entry) };
  };
  const choices: { [role: string]: AgentChoice } = {};
  const tasks = new Map<string, { [role: string]: AgentChoice }>();
  const withoutVerdicts = new Map<string, string>();
  for (const role of input.roles) {
    const own = input.tasks.map((taskId) => parse(wishes.forTask(taskId, role)));
    const named = parse(wishes.forRole(role)) ?? fromFiles(input.settings, role, parse);
    const common = parse(wishes.unfitFor(role)) ?? onlyOne(configured);
    const choice = named ?? (isFit(role, common) ? common : null);
    if (choice === null && common !== null) withoutVerdicts.set(role, common.name);
    // The run needs no agent if every task has its own, and none for a reviewer of single tasks.
    const isNeeded = !withoutVerdicts.has(role) && own.includes(null);
    const needed = choice ?? (isNeeded ? null : (own.find((one) => one !== null) ?? null));
    if (needed === null && withoutVerdicts.has(role)) continue;
    if (needed === null) throw await noAgent(role, configured, input);
    choices[role] = await admit(needed);
    for (const [index, taskId] of input.tasks.entries()) {
      const named = own[index];
      if (named)
        tasks.set(taskId, {
          ...tasks.get(taskId),
          [role]: await admit(named, wishes.whereFor(taskId, role)),
        });
    }
  }
  const others = new Map<string, AgentChoice>();
  for (const text of input.others ?? []) {
    const named = parse(text);
    if (named !== null) others.set(text, await admit(named));
  }
  const agents = frozen(used, setting(input.settings, 'agent.env'));
  const cast = { agents, choices, tasks, others, withoutVerdicts };
  return setting(input.settings, 'allowRoot') === true ? allowRoot(cast) : cast;
}

/** The requested models, by agent. */
export function modelsOf({ choices, tasks, others }: Cast): { [agent: string]: string[] } {
  const models: { [agent: string]: string[] } = {};
  for (const { name, model } of [
    ...[choices, ...tasks.values()].flatMap((one) => Object.values(one)),
    ...others.values(),
  ]) {
    if (model !== null) models[name] = [...(models[name] ?? []), model];
  }
  return models;
}

interface Named {
  readonly name: string;
  readonly model: string | null;
  readonly inline?: AgentEntry;
}

/** The agents of the files, by name. */
export function configuredAgents(settings: Layer): Map<string, AgentEntry> {
  const found = new Map<string, AgentEntry>();
  for (const name of namesBelow(settings, 'agents')) {
    found.set(name, settings.get(`agents.${name}`)?.value as AgentEntry);
  }
  return found;
}

/** `name`, `name:model`, or a driver with its command. A configured name wins over everything else. */
function parseAgent(text: string, cwd: string, configured: ReadonlyMap<string, AgentEntry>): Named {
  if (configured.has(text)) return { name: text, model: null };
  const colon = text.indexOf(':');
  const head = colon < 0 ? text : text.slice(0, colon);
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim();
  const inline = configured.has(head) ? null : (driverFacts(head)?.inline ?? null);
  if (inline === null) return { name: head, model: rest === '' ? null : rest };
  if (rest === '') {
    throw new OperatorError(
      'bad-flag',
      `--agent ${text} names no command.`,
      `For example: --agent ${inline.example}`,
    );
  }
  return { name: text, model: null, inline: { driver: head, ...inline.options(rest, cwd) } };
}

function modelOf({ driver, model }: AgentEntry): string | null {
  const takesModel = driverFacts(driver)?.takesModel === true;
  return takesModel && typeof model === 'string' && model !== '' ? model : null;
}

function builtIn(name: string): AgentEntry | undefined {
  return Object.hasOwn(builtInAgents, name) ? builtInAgents[name] : undefined;
}

/** A provider of hundreds of models cannot choose one for us; a local one may have just one. */
function refuseUnnamedModel(
  { name, model }: Named,
  { driver, apiKeyEnv, model: configured }: AgentEntry,
): void {
  if (driver !== 'openai' || apiKeyEnv === undefined || model !== null || configured !== undefined) return;
  throw new OperatorError(
    'no-model',
    `The agent ${name} needs a model.`,
    `Name one: --agent ${name}:MODEL, or "model" in its configuration.`,
  );
}

function fromFiles(settings: Layer, role: string, parse: (text: string) => Named | null): Named | null {
  const name = settings.get(`roles.${role}.agent`)?.value;
  const model = settings.get(`roles.${role}.model`)?.value;
  if (typeof name !== 'string') return null;
  const named = parse(name);
  return named !== null && typeof model === 'string' ? { ...named, model } : named;
}

function onlyOne(configured: ReadonlyMap<string, AgentEntry>): Named | null {
  const [name, ...others] = configured.keys();
  return name === undefined || others.length > 0 ? null : { name, model: null };
}

/** `agents.<name>.env` adds variables for that agent, `agent.env` for all. `payer.ts` adds the keys. */
function frozen(
  used: ReadonlyMap<string, AgentEntry>,
  common: EnvironmentSpec | undefined,
): RunConfig['agents'] {
  return Object.fromEntries([...used].map(([name, entry]) => [name, frozenAgent(entry, common)]));
}

/** An agent as a run stores it; `common` is `agent.env`. */
export function frozenAgent(entry: AgentEntry, common: EnvironmentSpec | undefined): AgentConfig {
  // `verdicts` decides who may review; it is not passed to the agent.
  const { driver, env, model, verdicts: _, ...options } = entry;
  const kept = model === undefined || modelOf(entry) !== null ? options : { ...options, model };
  return { driver, env: joinSpecs(common, env), options: kept };
}

async function noAgent(
  role: string,
  configured: ReadonlyMap<string, AgentEntry>,
  { env, reviewers = [] }: CastInput,
): Promise<OperatorError> {
  const names = [...configured.keys()];
  if (names.length === 0 && reviewers.includes(role)) {
    return new OperatorError(
      'no-agent',
      `No agent is named for the ${role === 'verifier' ? role : `reviewer ${role}`}.`,
      `Name one: --agent ${role}=NAME, or run without reviewers: --verifier none.`,
    );
  }
  if (names.length > 0) {
    return new OperatorError(
      'no-agent',
      `Several agents are configured (${names.join(', ')}), and none is chosen for the ${role}.`,
      `Name one: --agent ${names[0] ?? ''}, or "roles" in .untildone/config.jsonc.`,
    );
  }
  return new OperatorError('no-agent', 'No agent is named.', await howToName(env));
}

async function unknownAgent(
  name: string,
  configured: ReadonlyMap<string, AgentEntry>,
  env: Environment,
  where: string | null,
): Promise<OperatorError> {
  const near = didYouMean(name, [...configured.keys(), ...Object.keys(builtInAgents)]);
  const message = `${where === null ? 'There' : `${where}: there`} is no agent "${name}".`;
  return new OperatorError('unknown-agent', message, near ?? (await howToName(env)));
}

async function howToName(env: Environment): Promise<string> {
  const present = await programsOnPath(clientNames, env);
  const [first] = present;
  if (first === undefined) {
    return `None of the known ones (${clientNames.join(', ')}) is on PATH; name a local model (--agent ollama:MODEL) or any program that reads a prompt (--agent "command:my-cli --flag"). \`untildone demo\` needs none.`;
  }
  return `On PATH: ${present.join(', ')}. For example: --agent ${first}`;
}
