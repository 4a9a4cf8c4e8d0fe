// Whether a client has neither a login nor a key, as far as its files and variables tell.
import { join } from 'node:path';
import type { AgentConfig } from '#kernel/config.ts';
import type { ClientName, ReadText } from './clients.ts';
import { clientOf, clients, homeOf } from './clients.ts';
import type { Environment } from './env-file.ts';
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

/** Settings in which a client can be told of a way to pay that we do not follow. */
interface OtherWays {
  files(env: Environment, root: string): readonly string[];
  readonly words: RegExp;
}

const otherWays: { readonly [client in ClientName]?: OtherWays } = {
  claude: {
    files: (env, root) => [
      join(env['CLAUDE_CONFIG_DIR'] ?? join(homeOf(env), '.claude'), 'settings.json'),
      join(root, '.claude', 'settings.json'),
      '/etc/claude-code/managed-settings.json',
    ],
    words: /apiKeyHelper|ANTHROPIC_|CLAUDE_CODE_(?:USE|OAUTH|SKIP)_/,
  },
  codex: {
    files: (env) => [join(env['CODEX_HOME'] ?? join(homeOf(env), '.codex'), 'config.toml')],
    words: /model_provider|auth_credentials_store|openai_base_url|requires_openai_auth/,
  },
  gemini: {
    // A way to log in that was chosen once may keep its secret in the keyring of the system.
    files: (env, root) => [
      ...[join(homeOf(env), '.gemini'), join(root, '.gemini'), '/etc/gemini-cli'].flatMap((folder) => [
        join(folder, 'settings.json'),
        join(folder, '.env'),
      ]),
      join(homeOf(env), '.env'),
      join(root, '.env'),
    ],
    words: /selectedType|selectedAuthType|enforcedType|GEMINI_|GOOGLE_/,
  },
};

/**
 * Contract: true only where it is certain. A program or a setting of the person's own may bring a login that we cannot see, and
 * OpenCode has models that need none.
 */
export async function isLoggedOut(agent: AgentConfig, input: LoginInput): Promise<boolean> {
  const { options } = agent;
  const client = clientOf(agent);
  const ways = client === null ? undefined : otherWays[client];
  if (client === null || ways === undefined || isWrapped(agent, client)) return false;
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

/** Another program stands before the client, and may log in by itself. */
function isWrapped({ driver, options }: AgentConfig, client: ClientName): boolean {
  return driver !== client && programOf(options['command']) !== client;
}

/** A variable of the provider that the configuration gives this agent, and of which we do not know what it means. */
function isWayToPay(client: ClientName, entry: string): boolean {
  const [name = ''] = entry.split('=');
  const known: readonly string[] = [...clients[client].settings, ...clients[client].keys];
  return /^(?:ANTHROPIC|CLAUDE|CODEX|OPENAI|GEMINI|GOOGLE)_/.test(name) && !known.includes(name);
}

export function isWithoutLogin(payer: NonNullable<AgentConfig['payer']>): boolean {
  return payer.kind === 'unknown' && payer.name.startsWith('no login');
}

/** `Log in: codex login. Or pay by a key: export OPENAI_API_KEY=…` */
export function howToLogIn(name: ClientName): string {
  const { howToLogIn: way, usualKey } = clients[name];
  return `Log in: ${way}. Or pay by a key: export ${usualKey}=…`;
}
