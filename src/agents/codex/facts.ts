// Facts about Codex, as of November 2026.
import { join } from 'node:path';
import { type ClientFacts, type Login, type ReadText, noNeeds } from '#agents/shared/client-facts.ts';
import { homeOf, readJson } from '#agents/shared/client-files.ts';
import type { Environment } from '#agents/shared/state-folder.ts';
import { isRecord } from '#base/record.ts';

const sessions = (
  'sessions archived_sessions shell_snapshots thread-writer-locks memories attachments generated_images log tmp history.jsonl ' +
  'session_index.jsonl'
).split(' ');

export const codex = {
  title: 'Codex',
  agent: { driver: 'codex' },
  install: 'npm install -g @openai/codex',
  howToLogIn: 'codex login',
  can: { resume: 'yes', hears: 'at once', cost: 'tokens', sandbox: true },
  keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  usualKey: 'OPENAI_API_KEY',
  strongKeys: ['CODEX_API_KEY'],
  tokens: [],
  settings: ['CODEX_HOME', 'OPENAI_BASE_URL'],
  address: 'OPENAI_BASE_URL',
  prefixes: ['CODEX_', 'OPENAI_'],
  accountVariables: ['CODEX_HOME'],
  cloud: () => null,
  findLogin,
  otherWays: {
    files: (env) => [join(folderOf(env, homeOf(env)), 'config.toml')],
    words: /model_provider|auth_credentials_store|openai_base_url|requires_openai_auth/,
  },
  needs: (env, home) => {
    const folder = folderOf(env, home);
    return {
      ...noNeeds,
      hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
      writable: [folder],
      own: sessions.map((name) => join(folder, name)),
      fixedFiles: [
        ...['config.toml', 'AGENTS.md', '.env'].map((name) => ({ path: join(folder, name), empty: '' })),
        { path: join(folder, 'hooks.json'), empty: '{}\n' },
      ],
      fixedFolders: ['prompts', 'skills', 'rules'].map((name) => join(folder, name)),
    };
  },
  settingsFiles: (env, home) => [join(folderOf(env, home), 'config.toml')],
  prices: {
    'gpt-5*': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 },
    'gpt-5-mini*': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0.25 },
    'gpt-5-nano*': { input: 0.05, output: 0.4, cacheRead: 0.005, cacheWrite: 0.05 },
  },
  readOutput: async () => (await import('./exec-lines.ts')).readCodex,
  readOnlyEnv: {},
  acpUsage: null,
  listModels: null,
  elsewhere: null,
} as const satisfies ClientFacts;

function folderOf(env: Environment, home: string): string {
  return env['CODEX_HOME'] ?? join(home, '.codex');
}

async function findLogin(env: Environment, read: ReadText): Promise<Login | null> {
  const file = join(folderOf(env, homeOf(env)), 'auth.json');
  const auth = await readJson(file, read);
  if (isRecord(auth?.['tokens'])) return { kind: 'subscription', name: 'your ChatGPT subscription' };
  const key = auth?.['OPENAI_API_KEY'];
  return typeof key === 'string' && key !== ''
    ? { kind: 'account', name: `your OpenAI account, by the key in ${file}` }
    : null;
}
