// Elixir and Erlang.
import type { Ecosystem } from './ecosystem.ts';
import { unlocked } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const elixir: Ecosystem = {
  name: 'Elixir',
  setup: {
    locks: [{ file: 'mix.lock', use: { kind: 'install', command: 'mix deps.get', isReadLater: true } }],
    manifests: [{ file: 'mix.exs', judge: ({ path }) => unlocked('mix deps.get', path, 'mix.lock') }],
    inputs: ['mix.exs'],
    tools: { mix: { updatesLock: true } },
    unread: [/^rebar\.config$/],
  },
  pins: { why: 'its settings are those of a family that others.ts has' },
  tests: { why: 'no runner of it was recorded' },
  gates: { why: 'mix has one command for tests, and it was never asked for' },
  machine: { why: 'its settings are all in the repository' },
  programs: {
    common: 'mix',
    rare: 'elixir erl rebar3',
  },
};
