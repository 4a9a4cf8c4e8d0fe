// Facts about Gemini CLI, as of November 2026.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSet } from '#base/is-set.ts';
import {
  type AcpUsage,
  type ClientFacts,
  type Login,
  type ReadText,
  noNeeds,
} from '#agents/shared/client-facts.ts';
import { googleFiles, googleVariables, homeOf, isOn, readJson } from '#agents/shared/client-files.ts';
import { numberOf, fieldsOf, listOf, type Fields } from '#agents/shared/json.ts';
import type { Environment } from '#agents/shared/state-folder.ts';

/** Gemini's own field for usage in a reply. */
const acpUsage: AcpUsage = {
  tokensIn: (reply) => {
    const count = fieldsOf(quotaOf(reply)['token_count']);
    if (typeof count['input_tokens'] !== 'number') return null;
    return {
      input: count['input_tokens'],
      output: numberOf(count['output_tokens']),
      cacheRead: 0,
      cacheWrite: 0,
    };
  },
  modelIn: (reply) => {
    const [first] = listOf(quotaOf(reply)['model_usage']);
    return typeof first?.['model'] === 'string' ? first['model'] : null;
  },
};

export const gemini = {
  title: 'Gemini CLI',
  // Version 0.61 takes "not found" for a failure when it reads through us: it could never write a new file.
  agent: { driver: 'acp', command: ['gemini', '--acp'] },
  install: 'npm install -g @google/gemini-cli',
  howToLogIn: 'start `gemini` once and choose a login',
  can: { resume: 'tries', hears: 'after its turn', cost: 'tokens', sandbox: false },
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  usualKey: 'GEMINI_API_KEY',
  strongKeys: [],
  tokens: [],
  settings: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_CLI_TRUST_WORKSPACE', 'GOOGLE_CLOUD_PROJECT'],
  address: 'GOOGLE_GEMINI_BASE_URL',
  prefixes: ['GEMINI_', 'GOOGLE_'],
  accountVariables: [],
  cloud: (env) =>
    isOn(env['GOOGLE_GENAI_USE_VERTEXAI'])
      ? {
          name: 'your Google Cloud account (Vertex)',
          variables: ['GOOGLE_GENAI_USE_VERTEXAI', ...googleVariables],
        }
      : null,
  findLogin,
  otherWays: {
    // A login method that was chosen once may keep its secret in the system's keyring.
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
  needs: (env, home) => {
    const folder = join(home, '.gemini');
    return {
      ...noNeeds,
      hosts: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com'],
      writable: [folder],
      own: ['tmp', 'history'].map((name) => join(folder, name)),
      fixedFiles: [
        { path: join(folder, 'settings.json'), empty: '{}\n' },
        { path: join(folder, 'GEMINI.md'), empty: '' },
        { path: join(folder, 'trustedFolders.json'), empty: '{}\n' },
        // An empty one would take precedence over the one in the home folder.
        ...(existsSync(join(home, '.env')) ? [] : [{ path: join(folder, '.env'), empty: '' }]),
      ],
      fixedFolders: 'agents commands extensions hooks policies skills'
        .split(' ')
        .map((name) => join(folder, name)),
      readable: googleFiles(isSet(env['GOOGLE_GENAI_USE_VERTEXAI']), env, home),
    };
  },
  settingsFiles: (_, home) => [join(home, '.gemini', '.env')],
  prices: {
    'gemini-2.5-pro*': { input: 1.25, output: 10, cacheRead: 0.31, cacheWrite: 1.25 },
    'gemini-2.5-flash*': { input: 0.3, output: 2.5, cacheRead: 0.075, cacheWrite: 0.3 },
  },
  readOutput: async () => (await import('./read-gemini.ts')).readGemini,
  readOnlyEnv: {},
  acpUsage,
  listModels: null,
  elsewhere: null,
} as const satisfies ClientFacts;

async function findLogin(env: Environment, read: ReadText): Promise<Login | null> {
  const folder = join(homeOf(env), '.gemini');
  // The stored choice wins over all other files there.
  const { security } = (await readJson(join(folder, 'settings.json'), read)) ?? {};
  if (fieldsOf(fieldsOf(security)['auth'])['selectedType'] === 'gemini-api-key') return null;
  const credentials = await readJson(join(folder, 'oauth_creds.json'), read);
  return credentials === null ? null : { kind: 'subscription', name: 'your Google login' };
}

function quotaOf(reply: Fields): Fields {
  return fieldsOf(fieldsOf(reply['_meta'])['quota']);
}
