// Facts about tests of JavaScript: their names, words and commands. Pure.
import type { TestFacts } from '#analysis/ecosystems/test-facts.ts';
import { javascriptLines } from './test-lines.ts';

const sources = /\.[cm]?[jt]sx?$/;

const libraries = String.raw`node:test|vitest|@jest\/globals|mocha|ava|tape|tap|uvu|bun:test|qunit|jasmine|cypress|chai|supertest|@playwright\/test|@testing-library\/[\w-]+|@japa\/runner|(?:jsr:|https:\/\/deno\.land\/)?@?std[@\w./-]*\/(?:testing|assert)[\w./-]*`;

export const javascriptTests: TestFacts = {
  lines: javascriptLines,
  hidesSuccess: [/\b(?:turbo|nx|lerna)\b/],
  files: [/\.(cy|e2e[^/]*)\.[cm]?[jt]sx?$/],
  texts: [
    {
      files: sources,
      library: new RegExp(String.raw`(?:\bfrom|\bimport|\brequire\()\s*\(?['"](?:${libraries})['"]`),
      words: /^[ \t]+(?:expect|assert(?:\.\w+)?)\s*\(/m,
      defines:
        /^(?:await )?(?:(?:t|tap|test|Deno|QUnit)\.)?(?:describe|it|test|suite|context|specify)(?:\.\w+)?\s*\(\s*(?:['"`]|async\b|\{\s*name)/m,
      offers: (text) => /^export\b|^(?:module\.)?exports\b/m.test(text),
    },
  ],
  ownTests: [[sources, separateTests]],
  frames: [
    // `at f (file:1:2)`; Java and Rust print theirs alike: `at a.b.C.d(C.java:12)`, `at ./src/lib.rs:26:9`
    /^\s*at\s\S.*(?:[:(]\d+|\)|\(Native Method\))/,
    // vitest, and TAP's YAML: `❯ sum.js:1:2`, `Test.<anonymous> (sum.js:14:5)`
    /^\s*❯\s\S+.*:\d+:\d+$/,
    /^\s*[\w$.<>[\] ]+\s\((?:file|node|async|\/|\w+[./])[^()]*:\d+:\d+\)$/,
  ],
  words: {
    skipping:
      /\b(?:describe|it|test|suite|context|bench)\.(?:skip|todo|fixme|skipIf|fails)\b|\bx(?:it|describe|test|context|specify)\s*\(|\bskip:\s*(?:true|["'`])/,
    focusing: /\b(?:describe|it|test|suite|context)\.only\b|\bf(?:it|describe|context)\s*\(|\bonly:\s*true/,
    test: /\b(?:it|test|specify)(?:\.\w+)*\s*\(/,
    empty: /=>\s*\{\s*\}|\bfunction\s*\w*\([^)]*\)\s*\{\s*\}/,
    ending: /\bprocess\.exit\(0?\)|--passWithNoTests/,
    unruled: /eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|nocheck|expect-error)/,
  },
  selecting: {
    programs: ['node', 'np[mx]', 'pnpm', 'yarn', 'bun', 'vitest', 'jest', 'mocha', 'ava', 'tap'],
    others: [/--test-name-pattern|--testNamePattern|--grep\b|--fgrep\b|\.[cm]?[jt]sx?:\d/],
  },
};

/** `if (import.meta.vitest) { … }` at the outermost level. */
function separateTests(text: string): ReadonlyMap<string, string> | null {
  const blocks = [...text.matchAll(/^if \(import\.meta\.vitest\) \{\n[\s\S]*?^\}/gm)].map(([block]) => block);
  const product = blocks.reduce((rest, block) => rest.replace(block, ''), text);
  const isProduct = /^export\b/m.test(product) && !/\bvitest\b|\bexpect\b/.test(product);
  return isProduct ? new Map(blocks.map((block, at) => [String(at), block])) : null;
}
