// Decides whether a client has neither a login nor a key, from its files and variables.
import type { AgentConfig } from '#kernel/model/config.ts';
import type { ReadText } from '#agents/shared/client-facts.ts';
import { type ClientName, clientNames, clientOf, knownClients } from './clients.ts';
import type { Environment } from '#config/env-file.ts';
import { settlePayers } from './payer.ts';
import { programOf } from './programs.ts';

export interface LoginInput {
  readonly env: Environment;
  /** Without the repository's `.env`. */
  readonly ownEnv: Environment;
  /** The repository's own folder: a client reads settings there too. */
  readonly root: string;
  readonly read: ReadText;
}

/** Contract: true only if it is certain. A user's program or setting may bring a login that we cannot see. */
export async function isLoggedOut(agent: AgentConfig, input: LoginInput): Promise<boolean> {
  const { options } = agent;
  const client = clientOf(agent);
  const ways = client === null ? null : knownClients[client].otherWays;
  if (client === null || ways === null || isWrapped(agent, client)) return false;
  const isOwn = ['binary', 'sdk', 'config', 'profile', 'extraArgs'].some(
    (name) => options[name] !== undefined,
  );
  if (isOwn || agent.env.some((entry) => isWayToPay(client, entry))) return false;
  const { env, ownEnv, root, read } = input;
  const settled = await settlePayers({
    agents: { it: agent },
    env,
    ownEnv,
    wish: null,
    models: {},
    read,
  }).catch(() => null);
  if (settled?.['it']?.payer === undefined || !isWithoutLogin(settled['it'].payer)) return false;
  const texts = await Promise.all(ways.files(ownEnv, root).map((file) => read(file)));
  return texts.every((text) => text === null || !ways.words.test(text));
}

/** Another program starts the client, and may log in by itself. */
function isWrapped({ driver, options }: AgentConfig, client: ClientName): boolean {
  return driver !== client && programOf(options['command']) !== client;
}

/** A configured variable of the provider whose meaning we do not know. */
function isWayToPay(client: ClientName, entry: string): boolean {
  const [name = ''] = entry.split('=');
  const { settings, keys } = knownClients[client];
  return isOfProvider(name) && ![...settings, ...keys].includes(name);
}

function isOfProvider(variable: string): boolean {
  return clientNames.some((one) => knownClients[one].prefixes.some((prefix) => variable.startsWith(prefix)));
}

export function isWithoutLogin(payer: NonNullable<AgentConfig['payer']>): boolean {
  return payer.kind === 'unknown' && payer.name.startsWith('no login');
}

/** `Log in: codex login. Or pay by a key: export OPENAI_API_KEY=…` */
export function howToLogIn(name: ClientName): string {
  const { howToLogIn: way, usualKey } = knownClients[name];
  return `Log in: ${way}. Or pay by a key: export ${usualKey}=…`;
}
