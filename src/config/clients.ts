// How each known client is logged in, and by which variables a person can pay instead. Facts of November 2026.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig } from '#kernel/config.ts';
import type { Environment } from './env-file.ts';

export type ReadText = (path: string) => Promise<string | null>;

export interface Login {
  /** A subscription has a price a month; an account is billed by use. */
  readonly kind: 'subscription' | 'account';
  readonly name: string;
  /** The variable that is the login, where it is no file. */
  readonly variable?: string;
}

export interface Client {
  readonly title: string;
  /** Variables that hold a key; the first one that is set is used. */
  readonly keys: readonly string[];
  /** The one that a person without any is told to set. */
  readonly usualKey: string;
  /** Those that the client prefers to its login. */
  readonly strongKeys: readonly string[];
  /** Variables that are a login. */
  readonly tokens: readonly string[];
  /** Where it keeps its login and whom it asks. Never taken from a repository's `.env`: that could send a login anywhere. */
  readonly settings: readonly string[];
  /** Of the settings, the one that names another provider's address. */
  readonly address: string;
  /** A cloud that is used instead of everything else, with what it needs; null when there is none. */
  cloud(env: Environment): { readonly name: string; readonly variables: readonly string[] } | null;
  findLogin(env: Environment, read: ReadText): Promise<Login | null>;
  readonly howToLogIn: string;
}

const awsVariables = (
  'AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK ' +
  'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE'
).split(' ');
const googleVariables =
  'GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION CLOUD_ML_REGION ANTHROPIC_VERTEX_PROJECT_ID'.split(
    ' ',
  );

export const clients = {
  claude: {
    title: 'Claude Code',
    keys: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
    usualKey: 'ANTHROPIC_API_KEY',
    strongKeys: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
    tokens: ['CLAUDE_CODE_OAUTH_TOKEN'],
    settings: ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS', 'ANTHROPIC_MODEL'],
    address: 'ANTHROPIC_BASE_URL',
    cloud: (env) => {
      if (isOn(env['CLAUDE_CODE_USE_BEDROCK']))
        return {
          name: 'your AWS account (Bedrock)',
          variables: ['CLAUDE_CODE_USE_BEDROCK', ...awsVariables],
        };
      if (isOn(env['CLAUDE_CODE_USE_VERTEX']))
        return {
          name: 'your Google Cloud account (Vertex)',
          variables: ['CLAUDE_CODE_USE_VERTEX', ...googleVariables],
        };
      return null;
    },
    findLogin: findClaudeLogin,
    howToLogIn: 'start `claude` once and say /login',
  },
  codex: {
    title: 'Codex',
    keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    usualKey: 'OPENAI_API_KEY',
    strongKeys: ['CODEX_API_KEY'],
    tokens: [],
    settings: ['CODEX_HOME', 'OPENAI_BASE_URL'],
    address: 'OPENAI_BASE_URL',
    cloud: () => null,
    findLogin: findCodexLogin,
    howToLogIn: 'codex login',
  },
  gemini: {
    title: 'Gemini CLI',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    usualKey: 'GEMINI_API_KEY',
    strongKeys: [],
    tokens: [],
    settings: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_TRUST_WORKSPACE', 'GOOGLE_CLOUD_PROJECT'],
    address: 'GOOGLE_GEMINI_BASE_URL',
    cloud: (env) =>
      isOn(env['GOOGLE_GENAI_USE_VERTEXAI'])
        ? {
            name: 'your Google Cloud account (Vertex)',
            variables: ['GOOGLE_GENAI_USE_VERTEXAI', ...googleVariables],
          }
        : null,
    findLogin: findGeminiLogin,
    howToLogIn: 'start `gemini` once and choose a login',
  },
  opencode: {
    title: 'OpenCode',
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
    usualKey: 'ANTHROPIC_API_KEY',
    strongKeys: [],
    tokens: [],
    settings: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT'],
    address: '',
    cloud: () => null,
    findLogin: findOpenCodeLogin,
    howToLogIn: 'opencode auth login',
  },
} as const satisfies { readonly [name: string]: Client };

export type ClientName = keyof typeof clients;

/** Which client an agent starts; null for one that we know nothing of. */
export function clientOf({ driver, options }: AgentConfig): ClientName | null {
  if (driver === 'claude' || driver === 'codex') return driver;
  if (driver !== 'acp') return null;
  const command = options['command'];
  const words = typeof command === 'string' ? command.split(/\s+/) : Array.isArray(command) ? command : [];
  for (const word of words.slice(0, 4)) {
    const program = String(word).replace(/^.*[/\\]/, '');
    const found = /^(?:@[\w.-]+\/)?(claude|codex|gemini|opencode)\b/.exec(program)?.[1];
    if (found !== undefined) return found as ClientName;
  }
  return null;
}

async function findClaudeLogin(env: Environment, read: ReadText): Promise<Login | null> {
  if (isSet(env['CLAUDE_CODE_OAUTH_TOKEN'])) {
    return { kind: 'subscription', name: 'your Claude subscription', variable: 'CLAUDE_CODE_OAUTH_TOKEN' };
  }
  const folder = env['CLAUDE_CONFIG_DIR'];
  const home = homeOf(env);
  const credentials = await readJson(join(folder ?? join(home, '.claude'), '.credentials.json'), read);
  const oauth = credentials?.['claudeAiOauth'];
  const isSpent = isRecord(oauth) && isExpired(oauth);
  if (isRecord(oauth) && !isSpent) return { kind: 'subscription', name: 'your Claude subscription' };
  // Where the system keeps the secret itself (macOS), this file still says who is logged in.
  const settings = await readJson(join(folder ?? home, '.claude.json'), read);
  if (typeof settings?.['primaryApiKey'] === 'string')
    return { kind: 'account', name: 'your Anthropic Console account' };
  return isRecord(settings?.['oauthAccount']) && !isSpent
    ? { kind: 'subscription', name: 'your Claude subscription' }
    : null;
}

/** An old token is renewed by the client as long as it has another one for that. */
function isExpired({ expiresAt, refreshToken }: { readonly [key: string]: unknown }): boolean {
  const isRenewable = typeof refreshToken === 'string' && refreshToken !== '';
  return typeof expiresAt === 'number' && expiresAt < Date.now() && !isRenewable;
}

async function findCodexLogin(env: Environment, read: ReadText): Promise<Login | null> {
  const folder = env['CODEX_HOME'] ?? join(homeOf(env), '.codex');
  const file = join(folder, 'auth.json');
  const auth = await readJson(file, read);
  if (isRecord(auth?.['tokens'])) return { kind: 'subscription', name: 'your ChatGPT subscription' };
  const key = auth?.['OPENAI_API_KEY'];
  return typeof key === 'string' && key !== ''
    ? { kind: 'account', name: `your OpenAI account, by the key in ${file}` }
    : null;
}

async function findGeminiLogin(env: Environment, read: ReadText): Promise<Login | null> {
  const folder = join(homeOf(env), '.gemini');
  // What was chosen once wins over whatever else lies there.
  const { security } = (await readJson(join(folder, 'settings.json'), read)) ?? {};
  const auth = isRecord(security) && isRecord(security['auth']) ? security['auth'] : {};
  if (auth['selectedType'] === 'gemini-api-key') return null;
  const credentials = await readJson(join(folder, 'oauth_creds.json'), read);
  return credentials === null ? null : { kind: 'subscription', name: 'your Google login' };
}

async function findOpenCodeLogin(env: Environment, read: ReadText): Promise<Login | null> {
  const data = env['XDG_DATA_HOME'] ?? join(homeOf(env), '.local', 'share');
  const auth = await readJson(join(data, 'opencode', 'auth.json'), read);
  const names = Object.keys(auth ?? {});
  return names.length === 0
    ? null
    : { kind: 'account', name: `your logins in OpenCode (${names.join(', ')})` };
}

async function readJson(path: string, read: ReadText): Promise<{ readonly [key: string]: unknown } | null> {
  try {
    const value: unknown = JSON.parse((await read(path)) ?? 'null');
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Never the current folder: a repository must not be able to look like a login. */
export function homeOf(env: Environment): string {
  return [env['HOME'], env['USERPROFILE']].find(isSet) ?? homedir();
}

export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

function isOn(value: string | undefined): boolean {
  return isSet(value) && !['0', 'false', 'no', 'off'].includes(value.trim().toLowerCase());
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
