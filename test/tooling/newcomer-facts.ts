// A client that does not exist: the file that a contributor adds for one. The test beside it puts this file into a copy of the sources.
import { join } from 'node:path';
import type { ClientFacts } from '#agents/shared/client-facts.ts';
import { noNeeds } from '#agents/shared/client-facts.ts';
import { homeOf, readJson } from '#agents/shared/client-files.ts';

export const newcomer = {
  title: 'Newcomer CLI',
  agent: { driver: 'acp', command: ['newcomer', '--acp'] },
  install: 'npm install -g newcomer-cli',
  howToLogIn: 'newcomer login',
  can: { resume: 'no', hears: 'after its turn', cost: 'perhaps', sandbox: false },
  keys: ['NEWCOMER_API_KEY'],
  usualKey: 'NEWCOMER_API_KEY',
  strongKeys: [],
  tokens: [],
  settings: ['NEWCOMER_HOME'],
  address: '',
  prefixes: ['NEWCOMER_'],
  accountVariables: ['NEWCOMER_HOME'],
  cloud: () => null,
  findLogin: async (env, read) => {
    const login = await readJson(join(homeOf(env), '.newcomer', 'login.json'), read);
    return login === null ? null : { kind: 'subscription', name: 'your Newcomer subscription' };
  },
  otherWays: { files: (env) => [join(homeOf(env), '.newcomer', 'settings.json')], words: /apiKey/ },
  needs: (_, home) => ({ ...noNeeds, hosts: ['api.newcomer.example'], writable: [join(home, '.newcomer')] }),
  settingsFiles: () => [],
  prices: { 'newcomer-*': { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 } },
  readOutput: async () => (context) => ({
    onLine: (line) => [{ type: 'text', text: line }],
    usage: () => ({ usd: null, tokens: null }),
    model: () => context.model,
    endOf: () => ({ kind: 'finished' }),
  }),
  readOnlyEnv: {},
  acpUsage: null,
  listModels: null,
  elsewhere: null,
} as const satisfies ClientFacts;
