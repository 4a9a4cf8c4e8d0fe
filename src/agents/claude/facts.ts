// Facts about Claude Code, as of November 2026.
import { join } from 'node:path';
import { isSet } from '#base/is-set.ts';
import type { ClientFacts, ClientNeeds, Login, ReadText } from '#agents/shared/client-facts.ts';
import { googleFiles, googleVariables, homeOf, isOn, readJson } from '#agents/shared/client-files.ts';
import type { Environment } from '#agents/shared/state-folder.ts';
import { isRecord } from '#base/record.ts';

const awsVariables = (
  'AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK ' +
  'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE'
).split(' ');
const sessions = (
  'projects sessions session-env shell-snapshots file-history todos tasks teams plans jobs debug ide backups ' +
  'paste-cache image-cache telemetry statsig state history.jsonl'
).split(' ');

export const claude = {
  title: 'Claude Code',
  agent: { driver: 'claude' },
  install: 'npm install -g @anthropic-ai/claude-code',
  howToLogIn: 'start `claude` once and say /login',
  can: { resume: 'yes', hears: 'at once', cost: 'usd', sandbox: false },
  keys: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
  usualKey: 'ANTHROPIC_API_KEY',
  strongKeys: ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY'],
  tokens: ['CLAUDE_CODE_OAUTH_TOKEN'],
  settings: ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS', 'ANTHROPIC_MODEL'],
  address: 'ANTHROPIC_BASE_URL',
  prefixes: ['ANTHROPIC_', 'CLAUDE_'],
  accountVariables: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN'],
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
  findLogin,
  otherWays: {
    files: (env, root) => [
      join(folderOf(env, homeOf(env)), 'settings.json'),
      join(root, '.claude', 'settings.json'),
      '/etc/claude-code/managed-settings.json',
    ],
    words: /apiKeyHelper|ANTHROPIC_|CLAUDE_CODE_(?:USE|OAUTH|SKIP)_/,
  },
  needs,
  settingsFiles: (env, home) => [join(folderOf(env, home), 'settings.json')],
  prices: {
    'claude-opus-*': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    'claude-sonnet-*': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    'claude-haiku-*': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  },
  readOutput: async () => (await import('./read-claude.ts')).readClaude,
  readOnlyEnv: {},
  acpUsage: null,
  listModels: null,
  elsewhere: {
    what: 'SDK',
    isHere: async (env) => (await import('./find-sdk.ts')).findSdk(null, env) !== null,
  },
} as const satisfies ClientFacts;

function folderOf(env: Environment, home: string): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');
}

async function findLogin(env: Environment, read: ReadText): Promise<Login | null> {
  if (isSet(env['CLAUDE_CODE_OAUTH_TOKEN'])) {
    return { kind: 'subscription', name: 'your Claude subscription', variable: 'CLAUDE_CODE_OAUTH_TOKEN' };
  }
  const home = homeOf(env);
  const credentials = await readJson(join(folderOf(env, home), '.credentials.json'), read);
  const oauth = credentials?.['claudeAiOauth'];
  const isSpent = isRecord(oauth) && isExpired(oauth);
  if (isRecord(oauth) && !isSpent) return { kind: 'subscription', name: 'your Claude subscription' };
  // On macOS the system keeps the secret, but this file still names the logged-in account.
  const settings = await readJson(join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'), read);
  if (typeof settings?.['primaryApiKey'] === 'string')
    return { kind: 'account', name: 'your Anthropic Console account' };
  return isRecord(settings?.['oauthAccount']) && !isSpent
    ? { kind: 'subscription', name: 'your Claude subscription' }
    : null;
}

/** The client renews an old token as long as it has a refresh token. */
function isExpired({ expiresAt, refreshToken }: { readonly [key: string]: unknown }): boolean {
  const isRenewable = typeof refreshToken === 'string' && refreshToken !== '';
  return typeof expiresAt === 'number' && expiresAt < Date.now() && !isRenewable;
}

function needs(env: Environment, home: string): ClientNeeds {
  const folder = folderOf(env, home);
  const below = (name: string): string => join(folder, name);
  const isAws = isSet(env['CLAUDE_CODE_USE_BEDROCK']);
  const isGoogle = isSet(env['CLAUDE_CODE_USE_VERTEX']);
  return {
    hosts: [
      'api.anthropic.com',
      // Hosts for its login and the renewal of the login.
      'platform.claude.com',
      'console.anthropic.com',
      'claude.ai',
      ...(isAws ? ['*.amazonaws.com'] : []),
      ...(isGoogle ? ['*.googleapis.com'] : []),
    ],
    writable: [folder],
    own: sessions.map(below),
    fixedFiles: [
      { path: below('settings.json'), empty: '{}\n' },
      { path: below('settings.local.json'), empty: '{}\n' },
      { path: below('CLAUDE.md'), empty: '' },
      // From old versions; the client ignores an empty one that is not writable.
      { path: below('.config.json'), empty: '', mode: 0o444 },
      ...(isSet(env['CLAUDE_CONFIG_DIR']) ? [{ path: below('.claude.json'), empty: '{}\n' }] : []),
    ],
    fixedFolders: 'agents commands hooks output-styles plugins rules skills workflows'.split(' ').map(below),
    readable: [...(isAws ? [join(home, '.aws')] : []), ...googleFiles(isGoogle, env, home)],
    copied: [join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json')],
  };
}
