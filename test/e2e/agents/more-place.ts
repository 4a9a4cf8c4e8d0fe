// A place where Gemini or OpenCode is the agent, by `acp` or by `command`, and a script is its model.
import type { Place } from '../place.ts';
import { findClient } from './clients.ts';
import { makeConfiguredPlace } from './configured-place.ts';
import type { Asked, Model, ModelReply } from './model.ts';
import { call, say } from './model.ts';

export type MoreClient = 'gemini' | 'opencode';
export type Way = 'acp' | 'command';

export interface MorePlaceOptions {
  readonly client: MoreClient;
  readonly way: Way;
  readonly model: Model;
  readonly options?: { readonly [key: string]: unknown };
}

/** `looker` is the same client by its own read-only means, for a `command` that knows no roles. */
export function morePlace({ client, way, model, options }: MorePlaceOptions): Place {
  const env = client === 'gemini' ? geminiEnv(model) : openCodeEnv(model);
  const agent = way === 'acp' ? acp[client] : command[client];
  const place = makeConfiguredPlace({
    agents: {
      worker: { ...agent('yolo'), env, ...options },
      looker: { ...agent('plan'), env: { ...env, OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny"}' } },
    },
  });
  const auth = { security: { auth: { selectedType: 'gemini-api-key' } } };
  const quiet = { privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } };
  place.write('home/.gemini/settings.json', JSON.stringify({ ...auth, ...quiet }));
  return place;
}

type Recipe = (mode: 'yolo' | 'plan') => { readonly driver: string; readonly [key: string]: unknown };

const acp: { readonly [client in MoreClient]: Recipe } = {
  gemini: () => ({ driver: 'acp', command: [programOf('gemini'), '--acp'] }),
  opencode: () => ({ driver: 'acp', command: [programOf('opencode'), 'acp'] }),
};

const command: { readonly [client in MoreClient]: Recipe } = {
  gemini: (mode) => ({
    driver: 'command',
    command: [programOf('gemini'), '-o', 'stream-json', '--approval-mode', mode, '--skip-trust'],
    prompt: 'stdin',
    output: 'gemini',
  }),
  opencode: () => ({
    driver: 'command',
    command: [programOf('opencode'), 'run', '--format', 'json'],
    output: 'opencode',
  }),
};

function programOf(client: MoreClient): string {
  return findClient(client).program;
}

function geminiEnv(model: Model): { readonly [name: string]: string } {
  return {
    GEMINI_API_KEY: 'key-of-nobody',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_MODEL: 'gemini-2.5-flash',
  };
}

/** A provider of its own with a price, and nothing that calls home. */
function openCodeEnv(model: Model): { readonly [name: string]: string } {
  const scripted = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${model.url}/v1`, apiKey: 'key-of-nobody' },
    models: {
      one: { name: 'one', cost: { input: 1, output: 2 }, limit: { context: 200_000, output: 8_000 } },
      two: { name: 'two', cost: { input: 1, output: 2 }, limit: { context: 200_000, output: 8_000 } },
    },
  };
  return {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/one',
      small_model: 'scripted/one',
      provider: { scripted },
    }),
  };
}

/** Told apart by what only the verifier's prompt holds. */
export function isVerifier({ text }: Asked): boolean {
  return text.includes('===VERIFIER_COMPLETE===');
}

export function shell(client: MoreClient, commandLine: string): ModelReply {
  return client === 'gemini'
    ? call('run_shell_command', { command: commandLine })
    : call('bash', { command: commandLine, description: 'works' });
}

export function writeFile(client: MoreClient, path: string, content: string): ModelReply {
  return client === 'gemini'
    ? call('write_file', { file_path: path, content })
    : call('write', { filePath: path, content });
}

export function readFile(client: MoreClient, path: string): ModelReply {
  return client === 'gemini' ? call('read_file', { file_path: path }) : call('read', { filePath: path });
}

/** Does the work in the shell, says done, and is content as a verifier. */
export function honest(client: MoreClient): (asked: Asked) => ModelReply {
  return (asked) => {
    if (isTitle(asked)) return say('A title');
    if (isVerifier(asked)) return say('All of it holds.\n\n===VERIFIER_COMPLETE===');
    if (asked.results === 0) return shell(client, 'echo right > done.txt');
    return say('Done.\n\n===WIGGUM_COMPLETE===');
  };
}

/** OpenCode asks for a title first, without tools. */
export function isTitle({ request }: Asked): boolean {
  return (request.tools ?? []).length === 0;
}

export const task = ['run', 'write done.txt', '--agent', 'worker', '--check', 'grep -q right done.txt'];
