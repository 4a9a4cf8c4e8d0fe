// Task runners: the tasks that start tests are pinned, and other tasks may change.
import { describe, expect, it } from 'vitest';
import { recipeFiles } from '#analysis/tampering/pins/pin-rules.ts';
import { changedSections } from '#analysis/tampering/section-rules.ts';
import { sectionsOf } from './sections.ts';

function changes(path: string, before: string, after: string): string[] {
  const sides = { before, after, old: sectionsOf(path, before), now: sectionsOf(path, after) };
  const files = { base: [path], now: [path] };
  const around = { files, wanted: new Set<string>(), moved: new Set<string>() };
  return changedSections({ path, ...sides, ...around }).map(([section]) => section);
}

const json = (value: unknown): string => JSON.stringify(value);

describe('task runners', () => {
  it.each([
    ['package.json', json({ wireit: { test: { command: 'jest' } } }), json({ wireit: { test: {} } })],
    ['project.json', json({ targets: { test: { command: 'jest' } } }), json({ targets: { test: {} } })],
    ['nx.json', json({ targetDefaults: { test: { cache: false } } }), json({ targetDefaults: {} })],
    ['turbo.json', json({ tasks: { 'app#test': {} } }), json({ tasks: { 'app#test': { inputs: [] } } })],
    [
      'angular.json',
      json({ projects: { a: { architect: { test: { options: {} } } } } }),
      json({ projects: { a: { architect: { test: { options: { include: [] } } } } } }),
    ],
    ['deno.json', json({ tasks: { test: 'deno test' } }), json({ tasks: { test: 'true' } })],
    ['deno.json', json({ imports: { a: 'jsr:@std/a@1' } }), json({ imports: { a: './fake.ts' } })],
    ['deno.jsonc', '{ /* none */ }', json({ test: { exclude: ['tests/'] } })],
    ['Pipfile', '[scripts]\ntest = "pytest"\n', '[scripts]\ntest = "true"\n'],
    ['hatch.toml', '[envs.default.scripts]\ntest = "pytest"\n', '[envs.default.scripts]\ntest = "true"\n'],
    ['pixi.toml', '[tasks]\ntest = "pytest"\n', '[tasks]\n'],
    ['mise.toml', '[tasks.test]\nrun = "pytest"\n', '[tasks.test]\nrun = "true"\n'],
    ['rust-toolchain.toml', '', '[toolchain]\npath = "tools/rust"\n'],
    ['.tool-versions', 'nodejs 24.1.0\n', 'nodejs path:./tools/node\n'],
  ])(
    'A change by which %s starts something else as a test is detected: %s → %s [X8]',
    (path, before, after) => {
      expect(changes(path, before, after)).toHaveLength(1);
    },
  );

  it.each([
    [
      'package.json',
      json({ wireit: { build: { command: 'a' } } }),
      json({ wireit: { build: {}, test: {} } }),
    ],
    [
      'project.json',
      json({ targets: { build: { a: 1 } } }),
      json({ targets: { build: { a: 2 }, test: {} } }),
    ],
    [
      'deno.json',
      json({ imports: { a: 'jsr:@std/a@1.0.0' } }),
      json({ imports: { a: 'jsr:@std/a@^2', b: './b.ts' } }),
    ],
    ['deno.json', json({ tasks: { start: 'a' } }), json({ tasks: { start: 'b', test: 'deno test' } })],
    ['Pipfile', '[packages]\na = "*"\n', '[packages]\na = "*"\nb = "*"\n[scripts]\ntest = "pytest"\n'],
    ['mise.toml', '[tools]\nnode = "20"\n', '[tools]\nnode = "24"\n'],
    ['rust-toolchain.toml', '', '[toolchain]\nchannel = "1.90"\n'],
  ])('Honest work on %s is allowed: %s → %s [X8]', (path, before, after) => {
    expect(changes(path, before, after)).toEqual([]);
  });

  it('A task runner pins the file that defines its tasks [X8]', () => {
    expect(recipeFiles('bundle exec rake test')).toContain('Rakefile');
    expect(recipeFiles('npx gulp test')).toContain('gulpfile.mjs');
    expect(recipeFiles('cargo make ci')).toContain('Makefile.toml');
    expect(recipeFiles('cargo test')).toEqual([]);
    expect(recipeFiles('npm test')).toEqual([]);
  });
});
