import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { Ecosystem, Facts } from './ecosystem.ts';
import { byManifest, ecosystems } from './ecosystems.ts';

// A group that is missing here does not compile.
const groups: { readonly [Group in keyof Facts]: true } = {
  setup: true,
  pins: true,
  tests: true,
  gates: true,
  machine: true,
  programs: true,
};

function emptyGroups(ecosystem: Ecosystem): string[] {
  const names = Object.keys(groups) as (keyof Facts)[];
  return names.filter((group) => {
    const facts = ecosystem[group];
    if ('why' in facts) return !/^[a-z].{15,}[^.]$/.test(facts.why);
    const values: unknown[] = Object.values(facts);
    return (
      values.length === 0 ||
      values.some(
        (value) => value === '' || (Array.isArray(value) && value.length === 0 && group !== 'gates'),
      )
    );
  });
}

describe('an ecosystem', () => {
  it.each(ecosystems.map((one) => [one.name, one] as const))(
    'called %s has facts in every group, or says why it has none',
    (_, ecosystem) => {
      expect(emptyGroups(ecosystem)).toEqual([]);
    },
  );

  it('that leaves a group empty, or gives no reason, is found', () => {
    const sample = {
      name: 'x',
      gates: { why: 'no' },
      tests: {},
      pins: { settings: [] },
      programs: { checking: '' },
    };
    const whole = { ...ecosystems[0], ...sample } as Ecosystem;
    expect(emptyGroups(whole)).toEqual(['pins', 'tests', 'gates', 'programs']);
  });

  it('is asked in the order of manifests as well, and each once', () => {
    expect(new Set(byManifest)).toEqual(new Set(ecosystems));
    expect(byManifest.length).toBe(ecosystems.length);
  });

  it('has no lock file that another one has', () => {
    const names = ecosystems
      .flatMap(({ setup }) => ('why' in setup ? [] : (setup.locks ?? [])))
      .map(({ file }) => file);
    expect(names.length).toBe(new Set(names).size);
  });
});

/** Sources that name a tool in code or comment, tests and their fixtures left out. */
function naming(words: RegExp): string[] {
  const src = new URL('../../', import.meta.url).pathname;
  return globSync('**/*.ts', { cwd: src })
    .filter((path) => !path.endsWith('.test.ts') && words.test(readFileSync(`${src}${path}`, 'utf8')))
    .toSorted();
}

test.each([
  ['gradle', /\b(gradlew?|build\.gradle)\b/i],
  ['maven', /\b(maven|mvnw?|pom\.xml)\b/i],
  ['dotnet', /\b(dotnet|csproj|nuget)\b/i],
])('to add an ecosystem like %s, its file and its line in the list are enough', (name, words) => {
  expect(naming(words)).toEqual(
    ['analysis/ecosystems/ecosystems.ts', `analysis/ecosystems/${name}.ts`].toSorted(),
  );
});
