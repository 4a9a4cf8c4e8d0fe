// What each known client needs of the machine to do its work in a sandbox: whom it asks, and where it keeps its login. Facts of
// November 2026.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig } from '#kernel/config.ts';
import { type Client, type ClientName, clientOf, clients, isSet } from './clients.ts';
import type { Environment } from './env-file.ts';

export interface ClientNeeds {
  readonly hosts: readonly string[];
  /** Folders that it refreshes its login in. */
  readonly writable: readonly string[];
  /** Below them, the work of sessions: that of others tells of their repositories, and some of it is run by their client. Each run has its own. */
  readonly own: readonly string[];
  /** Below them, what steers the client of the person: with these an agent could act outside, later. Made where they are missing. */
  readonly fixedFiles: readonly { readonly path: string; readonly empty: string; readonly mode?: number }[];
  readonly fixedFolders: readonly string[];
  readonly readable: readonly string[];
  /** Files that it rewrites at every start, and that hold more than it should change. */
  readonly copied: readonly string[];
}

export const nothing: ClientNeeds = {
  hosts: [],
  writable: [],
  own: [],
  fixedFiles: [],
  fixedFolders: [],
  readable: [],
  copied: [],
};

/** Null for an agent that we know nothing of: somebody has to say what it needs. */
export function needsOf(agent: AgentConfig, env: Environment, home: string): ClientNeeds | null {
  // Its own program plays a script, or talks to the model from outside.
  if (agent.driver === 'scripted' || agent.driver === 'openai') return nothing;
  const name = clientOf(agent) ?? clientInCommand(agent);
  if (name === null) return null;
  const needs = table[name](env, home);
  const said = clients[name].settings.map((one) => env[one]);
  const named = addressesIn([agent.options, ...said, ...settingsFiles[name](env, home).map(modelsIn)]);
  const isElsewhere = isSet(env[(clients[name] as Client).address]);
  return { ...needs, hosts: isElsewhere ? named : [...needs.hosts, ...named] };
}

/** A command says which client it starts: by the language that is read from it, or by its words. */
function clientInCommand(agent: AgentConfig): ClientName | null {
  if (agent.driver !== 'command') return null;
  const spoken = (Object.keys(clients) as ClientName[]).find((name) => name === agent.options['output']);
  return spoken ?? clientOf({ ...agent, driver: 'acp' });
}

/** Where a person writes down that a client asks another model than its maker's. */
const settingsFiles: { readonly [name in ClientName]: (env: Environment, home: string) => string[] } = {
  claude: (env, home) => [join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json')],
  codex: (env, home) => [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml')],
  gemini: (_, home) => [join(home, '.gemini', '.env')],
  opencode: (env, home) => {
    const folder = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');
    const names = ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => join(folder, name));
    return [...names, ...(isSet(env['OPENCODE_CONFIG']) ? [env['OPENCODE_CONFIG']] : [])];
  },
};

/** Other addresses in such a file are pages, servers of tools, whatever. */
function modelsIn(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/base_?url["']?\s*[:=]\s*["']?(https?:\/\/[^\s"',}]+)/gi)].map(
      ([, url]) => url ?? '',
    );
  } catch {
    return [];
  }
}

const claudeSessions = (
  'projects sessions session-env shell-snapshots file-history todos tasks teams plans jobs debug ide backups ' +
  'paste-cache image-cache telemetry statsig state history.jsonl'
).split(' ');
const codexSessions = (
  'sessions archived_sessions shell_snapshots thread-writer-locks memories attachments generated_images log tmp history.jsonl ' +
  'session_index.jsonl'
).split(' ');

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
      own: claudeSessions.map(below),
      fixedFiles: [
        { path: below('settings.json'), empty: '{}\n' },
        { path: below('settings.local.json'), empty: '{}\n' },
        { path: below('CLAUDE.md'), empty: '' },
        // Of old versions; the client passes over an empty one that nobody can write.
        { path: below('.config.json'), empty: '', mode: 0o444 },
        ...(isSet(env['CLAUDE_CONFIG_DIR']) ? [{ path: below('.claude.json'), empty: '{}\n' }] : []),
      ],
      fixedFolders: 'agents commands hooks output-styles plugins rules skills workflows'
        .split(' ')
        .map(below),
      readable: [...(isAws ? [join(home, '.aws')] : []), ...googleFiles(isGoogle, env, home)],
      copied: [join(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json')],
    };
  },
  codex(env, home) {
    const folder = env['CODEX_HOME'] ?? join(home, '.codex');
    return {
      ...nothing,
      hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
      writable: [folder],
      own: codexSessions.map((name) => join(folder, name)),
      fixedFiles: [
        ...['config.toml', 'AGENTS.md', '.env'].map((name) => ({ path: join(folder, name), empty: '' })),
        { path: join(folder, 'hooks.json'), empty: '{}\n' },
      ],
      fixedFolders: ['prompts', 'skills', 'rules'].map((name) => join(folder, name)),
    };
  },
  gemini(env, home) {
    const folder = join(home, '.gemini');
    return {
      ...nothing,
      hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
      writable: [folder],
      own: ['tmp', 'history'].map((name) => join(folder, name)),
      fixedFiles: [
        { path: join(folder, 'settings.json'), empty: '{}\n' },
        { path: join(folder, 'GEMINI.md'), empty: '' },
        { path: join(folder, 'trustedFolders.json'), empty: '{}\n' },
        // An empty one would stand before the one in the home folder.
        ...(existsSync(join(home, '.env')) ? [] : [{ path: join(folder, '.env'), empty: '' }]),
      ],
      fixedFolders: 'agents commands extensions hooks policies skills'
        .split(' ')
        .map((name) => join(folder, name)),
      readable: googleFiles(isSet(env['GOOGLE_GENAI_USE_VERTEXAI']), env, home),
    };
  },
  opencode(env, home) {
    const data = env['XDG_DATA_HOME'] ?? join(home, '.local', 'share');
    return {
      ...nothing,
      hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai', 'generativelanguage.googleapis.com'],
      writable: [join(data, 'opencode')],
      own: ['storage', 'snapshot', 'log', 'project', 'tool-output'].map((name) =>
        join(data, 'opencode', name),
      ),
      // Programs that it fetched.
      fixedFolders: [join(data, 'opencode', 'bin')],
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
