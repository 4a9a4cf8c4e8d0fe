// Facts about languages of which little is known here.
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
  tests: {
    files: [
      /_test\.(dart|ml|clj[cs]?|lua|nim|jl|gleam|swift)$/,
      /_specs?\.(lua|cr)$|(^|\/)test_[^/]+\.ml$/,
      /Tests?\.swift$|\.Tests\.ps1$/,
    ],
    classes: [/Spec\.hs$/],
    texts: [
      {
        files: /\.dart$/,
        library: /^import\s+['"]package:(?:test|flutter_test)\//m,
        defines: /^[ \t]+(?:test|group|testWidgets)\(\s*['"]/m,
      },
      {
        files: /\.swift$/,
        library: /^(?:@testable )?import (?:XCTest|Testing)\b/m,
        defines: /^[ \t]*(?:@Test\b|func test\w*\s*\()/m,
      },
      {
        files: /\.ml$/,
        library: /\b(?:Alcotest|OUnit2?|QCheck)\b/,
        defines: /\b(?:Alcotest\.run|run_test_tt(?:_main)?)\b|^let(?:%| )test/m,
      },
      {
        files: /\.[Rr]$/,
        library: /^[ \t]*(?:library|require)\(testthat\)/m,
        defines: /^[ \t]*test_that\(/m,
      },
    ],
  },
  gates: { why: 'no command of theirs was asked for' },
  machine: { why: 'no settings of theirs were found to steer a check' },
  programs: {
    started: 'kotlinc',
    common: 'swift sbt',
    rare: 'kotlin scala lein ant lua zig nim ghc cabal stack julia dart flutter clj',
  },
};
