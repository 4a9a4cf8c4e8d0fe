// Facts about OpenCode, as of November 2026.
import { join } from 'node:path';
import { isSet } from '#base/is-set.ts';
import { type ClientFacts, type Login, type ReadText, noNeeds } from '#agents/shared/client-facts.ts';
import { homeOf, readJson } from '#agents/shared/client-files.ts';
import type { Environment } from '#agents/shared/state-folder.ts';

export const opencode = {
  title: 'OpenCode',
  agent: { driver: 'acp', command: ['opencode', 'acp'] },
  install: 'npm install -g opencode-ai',
  howToLogIn: 'opencode auth login',
  can: { resume: 'yes', hears: 'after its turn', cost: 'usd', sandbox: false },
  keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
  usualKey: 'ANTHROPIC_API_KEY',
  strongKeys: [],
  tokens: [],
  settings: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT'],
  address: '',
  prefixes: [],
  accountVariables: [],
  cloud: () => null,
  findLogin,
  // OpenCode has models that need no login.
  otherWays: null,
  needs: (env, home) => {
    const data = join(dataFolder(env, home), 'opencode');
    return {
      ...noNeeds,
      hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai', 'generativelanguage.googleapis.com'],
      writable: [data],
      own: ['storage', 'snapshot', 'log', 'project', 'tool-output'].map((name) => join(data, name)),
      // Programs that OpenCode downloaded.
      fixedFolders: [join(data, 'bin')],
      readable: [configFolder(env, home)],
    };
  },
  settingsFiles: (env, home) => {
    const names = ['opencode.json', 'opencode.jsonc', 'config.json'];
    const named = env['OPENCODE_CONFIG'];
    return [...names.map((name) => join(configFolder(env, home), name)), ...(isSet(named) ? [named] : [])];
  },
  prices: {},
  readOutput: async () => (await import('./read-opencode.ts')).readOpenCode,
  readOnlyEnv: {
    // Plan mode still runs any shell command, and a refused permission ends the turn: these tools are off.
    OPENCODE_PERMISSION: JSON.stringify({ edit: 'deny', bash: 'deny', external_directory: 'deny' }),
  },
  acpUsage: null,
  listModels: { command: ['opencode', 'models'], word: /^[\w.-]+\/\S+$/ },
  elsewhere: null,
} as const satisfies ClientFacts;

function dataFolder(env: Environment, home: string): string {
  return env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
}

function configFolder(env: Environment, home: string): string {
  return join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');
}

async function findLogin(env: Environment, read: ReadText): Promise<Login | null> {
  const auth = await readJson(join(dataFolder(env, homeOf(env)), 'opencode', 'auth.json'), read);
  const names = Object.keys(auth ?? {});
  return names.length === 0
    ? null
    : { kind: 'account', name: `your logins in OpenCode (${names.join(', ')})` };
}
