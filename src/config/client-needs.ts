// What each known client needs of the machine to do its work in a sandbox: whom it asks, and where it keeps its login. Facts of
// November 2026.
import { join } from 'node:path';
import type { AgentConfig } from '#kernel/config.ts';
import { type Client, clientOf, clients, isSet } from './clients.ts';
import type { Environment } from './env-file.ts';

export interface ClientNeeds {
  readonly hosts: readonly string[];
  /** Folders that it refreshes its login in and keeps its sessions. */
  readonly writable: readonly string[];
  /** Below them, what steers the client of the person: with these an agent could act outside, later. Made empty where they are missing. */
  readonly fixedFiles: readonly { readonly path: string; readonly empty: string }[];
  readonly fixedFolders: readonly string[];
  readonly readable: readonly string[];
  /** Files that it rewrites at every start, and that hold more than it should change. */
  readonly copied: readonly string[];
}

const nothing: ClientNeeds = {
  hosts: [],
  writable: [],
  fixedFiles: [],
  fixedFolders: [],
  readable: [],
  copied: [],
};

/** Null for an agent that we know nothing of: somebody has to say what it needs. */
export function needsOf(agent: AgentConfig, env: Environment, home: string): ClientNeeds | null {
  // Its own program plays a script, or talks to the model from outside.
  if (agent.driver === 'scripted' || agent.driver === 'openai') return nothing;
  const name = clientOf(agent);
  if (name === null) return null;
  const needs = table[name](env, home);
  const named = addressesIn([agent.options, ...clients[name].settings.map((one) => env[one])]);
  const isElsewhere = isSet(env[(clients[name] as Client).address]);
  return { ...needs, hosts: isElsewhere ? named : [...needs.hosts, ...named] };
}

type Needs = (env: Environment, home: string) => ClientNeeds;

const table: { readonly [name in keyof typeof clients]: Needs } = {
  claude(env, home) {
    const folder = env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude');
    const below = (name: string): string => join(folder, name);
    const isAws = isSet(env['CLAUDE_CODE_USE_BEDROCK']);
    const isGoogle = isSet(env['CLAUDE_CODE_USE_VERTEX']);
    return {
      hosts: [
        'api.anthropic.com',
        // Where it logs in and renews its login.
        'platform.claude.com',
        'console.anthropic.com',
        'claude.ai',
        ...(isAws ? ['*.amazonaws.com'] : []),
        ...(isGoogle ? ['*.googleapis.com'] : []),
      ],
      writable: [folder],
      fixedFiles: [
        { path: below('settings.json'), empty: '{}\n' },
        { path: below('settings.local.json'), empty: '{}\n' },
        { path: below('CLAUDE.md'), empty: '' },
      ],
      fixedFolders: ['agents', 'commands', 'hooks', 'plugins', 'skills'].map(below),
      readable: [...(isAws ? [join(home, '.aws')] : []), ...googleFiles(isGoogle, env, home)],
      copied: [join(home, '.claude.json')],
    };
  },
  codex(env, home) {
    const folder = env['CODEX_HOME'] ?? join(home, '.codex');
    return {
      ...nothing,
      hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
      writable: [folder],
      fixedFiles: ['config.toml', 'AGENTS.md'].map((name) => ({ path: join(folder, name), empty: '' })),
      fixedFolders: ['prompts', 'skills', 'rules'].map((name) => join(folder, name)),
    };
  },
  gemini(env, home) {
    const folder = join(home, '.gemini');
    return {
      ...nothing,
      hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
      writable: [folder],
      fixedFiles: [
        { path: join(folder, 'settings.json'), empty: '{}\n' },
        { path: join(folder, 'GEMINI.md'), empty: '' },
      ],
      fixedFolders: ['commands', 'extensions', 'skills'].map((name) => join(folder, name)),
      readable: googleFiles(isSet(env['GOOGLE_GENAI_USE_VERTEXAI']), env, home),
    };
  },
  opencode(env, home) {
    const data = env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
    return {
      ...nothing,
      hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai', 'generativelanguage.googleapis.com'],
      writable: [join(data, 'opencode')],
      readable: [join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode')],
    };
  },
};

function googleFiles(isGoogle: boolean, env: Environment, home: string): string[] {
  if (!isGoogle) return [];
  const named = env['GOOGLE_APPLICATION_CREDENTIALS'];
  return [join(home, '.config', 'gcloud'), ...(isSet(named) ? [named] : [])];
}

/** `host:port` of every address that stands anywhere in a value. */
export function addressesIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const urls = [...text.matchAll(/https?:\/\/[^\s"'<>\\,)|]+/g)].map(([url]) => URL.parse(url));
  const hosts = urls.flatMap((url) => {
    if (url === null || url.hostname === '') return [];
    return [`${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`];
  });
  return [...new Set(hosts)];
}
