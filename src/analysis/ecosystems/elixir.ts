// Facts about Elixir and Erlang.
import type { Ecosystem } from './ecosystem.ts';
import { unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const elixir: Ecosystem = {
  name: 'Elixir',
  setup: {
    locks: [{ file: 'mix.lock', use: { kind: 'install', command: 'mix deps.get', isReadLater: true } }],
    manifests: [{ file: 'mix.exs', judge: ({ path }) => unlocked('mix deps.get', path, 'mix.lock') }],
    inputs: ['mix.exs'],
    tools: { mix: { updatesLock: true, makes: 'deps' } },
    asking: 'mix.exs',
    unread: [/^rebar\.config$/],
  },
  pins: { why: 'its settings are those of a family that others.ts has' },
  tests: {
    files: [/_test\.exs$|(^|\/)(spec|rails|test)_helper\.exs$/, /_tests\.erl$|_SUITE\.erl$|_SUITE_data\//],
    texts: [{ files: /\.exs?$/, library: /^[ \t]*use ExUnit\.Case\b/m, defines: /^[ \t]+test\s+"/m }],
  },
  gates: { why: 'mix has one command for tests, and it was never asked for' },
  machine: { why: 'its settings are all in the repository' },
  programs: {
    common: 'mix',
    rare: 'elixir erl rebar3',
  },
};
