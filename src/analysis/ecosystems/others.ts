// Languages of which little is known here.
import type { Ecosystem } from './ecosystem.ts';
import { self } from '#analysis/ecosystems/setup/manifest-answers.ts';

export const others: Ecosystem = {
  name: 'Swift, Scala, Dart, Crystal and Lua',
  setup: {
    manifests: [
      { file: 'Package.swift', judge: ({ path }) => self(path, 'swift') },
      { file: 'build.sbt', judge: ({ path }) => self(path, 'sbt') },
    ],
    unread: [/^(pubspec\.yaml|Podfile|Cartfile|shard\.yml)$/],
  },
  pins: {
    settings: [/^(\.credo\.exs|\.swiftlint\.yml|analysis_options\.yaml|\.sqlfluff)$/],
    ownSettings: [
      [/\bdart\b|\bflutter\b/, ['dart_test.yaml']],
      [/\bbusted\b/, ['.busted']],
    ],
  },
  tests: { why: 'no runner of theirs was recorded' },
  gates: { why: 'no command of theirs was asked for' },
  machine: { why: 'no settings of theirs were found to steer a check' },
  programs: {
    started: 'kotlinc',
    common: 'swift sbt',
    rare: 'kotlin scala lein ant lua zig nim ghc cabal stack julia dart flutter clj',
  },
};
