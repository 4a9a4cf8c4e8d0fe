// Which agent plays which role: `agents` and `roles` of the files, `--agent` of the command line.
import { isAbsolute, resolve } from 'node:path';
import type { RunConfig } from '#kernel/config.ts';
import type { AgentChoice } from '#kernel/step.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { EnvironmentSpec } from './agent-env.ts';
import { joinSpecs } from './agent-env.ts';
import type { Environment } from './env-file.ts';
import type { AgentEntry, Layer } from './layers.ts';
import { namesBelow, setting } from './layers.ts';
import { builtInAgents, knownClients } from './known-agents.ts';
import { isOnPath, refuseMissing } from './programs.ts';
import { suggest } from './suggest.ts';

export interface Cast {
  readonly agents: RunConfig['agents'];
  readonly choices: { readonly [role: string]: AgentChoice };
}

export interface CastInput {
  readonly settings: Layer;
  readonly flags: readonly string[];
  readonly roles: readonly string[];
  /** Paths on the command line are relative to this. */
  readonly cwd: string;
  readonly env: Environment;
}

const inlineDrivers: { readonly [driver: string]: string } = {
  command: '"command:my-cli --flag"',
  scripted: 'scripted:script.json',
  acp: '"acp:my-agent --acp"',
};

export async function castRoles(input: CastInput): Promise<Cast> {
  const configured = configuredAgents(input.settings);
  const choices: { [role: string]: AgentChoice } = {};
  const used = new Map<string, AgentEntry>();
  const parse = (text: string): Named => parseAgent(text, input.cwd, configured);
  const named = parseFlags(input, parse);
  for (const role of input.roles) {
    const choice =
      named.get(role) ?? named.get('') ?? fromFiles(input.settings, role, parse) ?? onlyOne(configured);
    if (choice === null) throw await noAgent(role, configured, input.env);
    const entry = choice.inline ?? configured.get(choice.name) ?? builtIn(choice.name);
    if (entry === undefined) throw await unknownAgent(choice.name, configured, input.env);
    refuseUnnamedModel(choice, entry);
    await refuseMissing(choice.name, entry, input.env);
    used.set(choice.name, entry);
    choices[role] = { name: choice.name, model: choice.model };
  }
  return { agents: frozen(used, setting(input.settings, 'agent.env')), choices };
}

interface Named {
  readonly name: string;
  readonly model: string | null;
  readonly inline?: AgentEntry;
}

function configuredAgents(settings: Layer): Map<string, AgentEntry> {
  const found = new Map<string, AgentEntry>();
  for (const name of namesBelow(settings, 'agents')) {
    found.set(name, settings.get(`agents.${name}`)?.value as AgentEntry);
  }
  return found;
}

/** By role; '' is every role that is not named. */
function parseFlags({ flags, roles }: CastInput, parse: (text: string) => Named): Map<string, Named> {
  const named = new Map<string, Named>();
  for (const flag of flags) {
    const found = /^([A-Za-z][\w-]*)=(.+)$/s.exec(flag);
    const role = found?.[1] ?? '';
    if (found !== null && !roles.includes(role)) {
      throw new OperatorError(
        'bad-flag',
        `--agent ${flag}: there is no role "${role}".`,
        `The roles are ${roles.join(' and ')}: --agent ${roles[0] ?? 'builder'}=NAME`,
      );
    }
    named.set(role, parse(found?.[2] ?? flag));
  }
  return named;
}

/** `name`, `name:model`, or a driver with what it is to run. A configured name wins over everything else. */
function parseAgent(text: string, cwd: string, configured: ReadonlyMap<string, AgentEntry>): Named {
  if (configured.has(text)) return { name: text, model: null };
  const colon = text.indexOf(':');
  const head = colon < 0 ? text : text.slice(0, colon);
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim();
  const example = configured.has(head) ? undefined : inlineDrivers[head];
  if (example === undefined) return { name: head, model: rest === '' ? null : rest };
  if (rest === '') {
    throw new OperatorError(
      'bad-flag',
      `--agent ${text} does not say what to run.`,
      `For example: --agent ${example}`,
    );
  }
  return { name: text, model: null, inline: inlineAgent(head, rest, cwd) };
}

function inlineAgent(driver: string, rest: string, cwd: string): AgentEntry {
  if (driver === 'scripted') return { driver, script: absolute(rest, cwd) };
  return driver === 'acp' ? { driver, command: rest } : commandAgent(rest);
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
    `The agent ${name} needs a model, and none is named.`,
    `Name one: --agent ${name}:MODEL, or "model" in its configuration.`,
  );
}

function commandAgent(command: string): AgentEntry {
  return { driver: 'command', command, prompt: 'stdin' };
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

function fromFiles(settings: Layer, role: string, parse: (text: string) => Named): Named | null {
  const name = settings.get(`roles.${role}.agent`)?.value;
  const model = settings.get(`roles.${role}.model`)?.value;
  if (typeof name !== 'string') return null;
  return typeof model === 'string' ? { ...parse(name), model } : parse(name);
}

function onlyOne(configured: ReadonlyMap<string, AgentEntry>): Named | null {
  const [name, ...others] = configured.keys();
  return name === undefined || others.length > 0 ? null : { name, model: null };
}

/** `agents.<name>.env` names what that agent may see besides the base; `agent.env` is for all of them. `payer.ts` adds its own keys. */
function frozen(
  used: ReadonlyMap<string, AgentEntry>,
  common: EnvironmentSpec | undefined,
): RunConfig['agents'] {
  const agents: { [name: string]: RunConfig['agents'][string] } = {};
  for (const [name, { driver, env, ...options }] of used) {
    agents[name] = { driver, env: joinSpecs(common, env), options };
  }
  return agents;
}

async function noAgent(
  role: string,
  configured: ReadonlyMap<string, AgentEntry>,
  env: Environment,
): Promise<OperatorError> {
  const names = [...configured.keys()];
  if (names.length > 0) {
    return new OperatorError(
      'no-agent',
      `No agent is chosen for the ${role}; several are configured (${names.join(', ')}).`,
      `Name one: --agent ${names[0] ?? ''}, or "roles" in .untildone/config.jsonc.`,
    );
  }
  return new OperatorError(
    'no-agent',
    'No agent is named, so there is nobody to do the work.',
    await howToName(env),
  );
}

async function unknownAgent(
  name: string,
  configured: ReadonlyMap<string, AgentEntry>,
  env: Environment,
): Promise<OperatorError> {
  const near = suggest(name, [...configured.keys(), ...Object.keys(builtInAgents)]);
  const message = `There is no agent "${name}".`;
  if (near !== null) return new OperatorError('unknown-agent', message, `Did you mean "${near}"?`);
  return new OperatorError('unknown-agent', message, await howToName(env));
}

async function howToName(env: Environment): Promise<string> {
  const present = await clientsOnPath(env);
  const [first] = present;
  if (first === undefined) {
    return 'None of the known ones (claude, codex, gemini, opencode) is on PATH; name a local model (--agent ollama:MODEL) or any program that reads a prompt (--agent "command:my-cli --flag"). `untildone demo` needs none.';
  }
  return `On PATH: ${present.join(', ')}. For example: --agent ${knownClients[first] ?? ''}`;
}

export async function clientsOnPath(env: Environment): Promise<string[]> {
  const programs = Object.keys(knownClients);
  const hits = await Promise.all(programs.map((program) => isOnPath(program, env)));
  return programs.filter((_, index) => hits[index]);
}
