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

describe('ecosystems', () => {
  it.each(ecosystems.map((one) => [one.name, one] as const))(
    'The ecosystem %s has facts in every group, or says why it has none',
    (_, ecosystem) => {
      expect(emptyGroups(ecosystem)).toEqual([]);
    },
  );

  it('An ecosystem that leaves a group empty, or gives no reason, is found', () => {
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

  it('The order by manifests has every ecosystem once', () => {
    expect(new Set(byManifest)).toEqual(new Set(ecosystems));
    expect(byManifest.length).toBe(ecosystems.length);
  });

  it('No two ecosystems share a lock file', () => {
    const names = ecosystems
      .flatMap(({ setup }) => ('why' in setup ? [] : (setup.locks ?? [])))
      .map(({ file }) => file);
    expect(names.length).toBe(new Set(names).size);
  });
});

/** Words that only the tools of one ecosystem have, and its places: its value, and its test runners. */
const places: { readonly [name: string]: { readonly words: RegExp; readonly at: RegExp } } = {
  python: {
    words:
      /\b(pytest|py\.test|conftest|unittest|pyproject|tox|nox|pipenv|poetry|mypy|flake8|ruff)\b|\bpip install/i,
    at: /^analysis\/(ecosystems|test-runners)\/python\//,
  },
  go: {
    words: /\bgo\.\(?(mod|sum|work)\b|\bgo (test|vet|mod)\b|\b(gofmt|golangci)\b/i,
    at: /^analysis\/(ecosystems|test-runners)\/go\//,
  },
  rust: {
    words: /\b(cargo|clippy|rustfmt|rustc|nextest)\b/i,
    at: /^analysis\/(ecosystems\/rust\/|test-runners\/rust\.ts$)/,
  },
  ruby: {
    words: /\b(gemfile|gemspec|rspec|minitest|rubocop|rakefile)\b|\bbundle (install|exec)/i,
    at: /^analysis\/(ecosystems|test-runners)\/ruby\.ts$/,
  },
  php: {
    words: /\b(composer|phpunit|phpstan)\b/i,
    at: /^analysis\/(ecosystems\/php|test-runners\/phpunit)\.ts$/,
  },
  elixir: {
    words: /\bmix\.(exs|lock)\b|\bmix deps\b|\b(exunit|rebar3?)\b/i,
    at: /^analysis\/ecosystems\/elixir\.ts$/,
  },
  perl: {
    words: /\b(cpanfile|cpanm?|proverc)\b|\bTest::More\b/,
    at: /^analysis\/(ecosystems|test-runners)\/perl\.ts$/,
  },
  c: { words: /\b(cmake|cmakelists|ctest)\b/i, at: /^analysis\/(ecosystems\/c|test-runners\/c-assert)\.ts$/ },
  jvm: {
    words: /\b(junit|testng|kotest)\b/i,
    at: /^analysis\/(ecosystems\/(jvm|maven)|test-runners\/junit)\.ts$/,
  },
  gradle: { words: /\b(gradlew?|build\.gradle)\b/i, at: /^analysis\/ecosystems\/gradle\.ts$/ },
  maven: { words: /\b(maven|mvnw?|pom\.xml)\b/i, at: /^analysis\/ecosystems\/maven\.ts$/ },
  dotnet: { words: /\b(dotnet|csproj|nuget)\b/i, at: /^analysis\/ecosystems\/dotnet\.ts$/ },
};

/** Sources that may name tools of other places, and why. */
const exceptions: { readonly [path: string]: string } = {
  'analysis/ecosystems/ecosystems.ts': 'the list of the values',
  'analysis/test-runners/test-runners.ts': 'the list of the runners',
  'analysis/ecosystems/shared.ts': 'services of compose.yaml that start a test, by the words of many tools',
  'analysis/ecosystems/gates/targets.ts': 'targets of make are called as a tool is',
  'analysis/texts/yaml.ts': 'Composer is a class of the library',
  'kernel/model/shown-output.ts': 'a comment says whose lines are kept; the kernel imports no analysis',
  'testing/faults/sample-python.ts': 'a sample of Python that faults are planted in',
  'agents/openai/facts.ts': 'how a server of models is installed',
};

/** Tests and their fixtures left out; a pattern writes `\.` for a point. */
function sources(): ReadonlyMap<string, string> {
  const src = new URL('../../', import.meta.url).pathname;
  const paths = globSync('**/*.ts', { cwd: src }).filter((path) => !path.endsWith('.test.ts'));
  return new Map(paths.map((path) => [path, readFileSync(`${src}${path}`, 'utf8')]));
}

function strangersIn(files: ReadonlyMap<string, string>, name: string): string[] {
  const { words = /^/, at = /^/ } = places[name] ?? {};
  return [...files].flatMap(([path, text]) => {
    const isOwn = at.test(path) || path in exceptions;
    return !isOwn && words.test(text.replaceAll(String.raw`\.`, '.')) ? [path] : [];
  });
}

describe('rules of an ecosystem', () => {
  const files = sources();

  it.each(Object.keys(places))(
    'The rules of an ecosystem are only in its value and its test runners: %s',
    (name) => {
      expect(strangersIn(files, name)).toEqual([]);
    },
  );

  it.each(Object.keys(exceptions))('A listed exception still names a rule of an ecosystem: %s', (path) => {
    const text = (files.get(path) ?? '').replaceAll(String.raw`\.`, '.');
    expect(Object.values(places).some(({ words, at }) => words.test(text) && !at.test(path))).toBe(true);
  });

  it('A rule of an ecosystem is found in any other source, in code, in a pattern or in a comment', () => {
    const planted = new Map([
      ['runtime/a.ts', String.raw`const manifest = /(^|\/)Cargo\.toml$/;`],
      ['config/b.ts', "const files = ['package.json', 'Gemfile'];"],
      ['analysis/tampering/c.ts', '/** As pytest does. */'],
      ['adapters/d.ts', String.raw`const isData = /(^|\/)go\.(mod|sum)$/;`],
      ['analysis/ecosystems/ruby.ts', "import { a } from 'x'; // phpunit"],
      ['views/e.ts', 'the cargo cult is a bundle of composed words'],
    ]);
    const found = Object.keys(places).map((name) => [name, strangersIn(planted, name)]);
    expect(Object.fromEntries(found)).toMatchObject({
      rust: ['runtime/a.ts', 'views/e.ts'],
      ruby: ['config/b.ts'],
      python: ['analysis/tampering/c.ts'],
      go: ['adapters/d.ts'],
      php: ['analysis/ecosystems/ruby.ts'],
      gradle: [],
    });
  });
});

/**
 * JavaScript is named elsewhere too, mostly because scripts of `package.json` start the tests of any language.
 * This list only gets shorter.
 */
const javascriptElsewhere: { readonly [path: string]: string } = {
  'adapters/git/pins/base-pins.ts': 'scripts of package.json are pinned one by one',
  'adapters/git/pins/command-pins.ts': 'a new package.json would answer a command of a check',
  'adapters/git/pins/outside-rules.ts': 'settings of package managers outside the repository',
  'adapters/git/pins/test-pins.ts': 'recipes that a command of a check can reach',
  'agents/claude/find-sdk.ts': 'the package of the SDK',
  'analysis/calibration/reached-recipes.ts': 'programs that run a recipe',
  'analysis/ecosystems/gates/ways.ts': 'an example in a comment',
  'analysis/ecosystems/manifests/lock-readers.ts': 'documents of YAML before a lock file',
  'analysis/ecosystems/shared.ts': 'services of compose.yaml that start a test',
  'analysis/inference/key-rules.ts': 'a sentence that names a script or a key means package.json',
  'analysis/output/excerpt.ts': 'an example in a comment',
  'analysis/repo-map/kind.ts': 'folders of code that others wrote',
  'analysis/tampering/pins/member-scripts.ts': 'scripts that call scripts of other packages',
  'analysis/tampering/pins/named-work.ts': 'programs that only start another program',
  'analysis/tampering/pins/pin-rules.ts': 'commands that read package.json',
  'analysis/tampering/pins/shadowed-modules.ts': 'a new package takes the place of another one',
  'analysis/tampering/script-calls.ts': 'programs that run a script of package.json',
  'analysis/tampering/section-rules.ts': 'aliases of imports in package.json',
  'analysis/tampering/test-material.ts': 'names of files that set a test up',
  'analysis/why-red/own-program.ts': 'programs of a package that a shell does not find',
  'app/own-files.ts': 'the manifest of this program',
  'app/sandbox/sandbox-rules.ts': 'the manifest of this program',
  'policies/prompts/architect-template.ts': 'an example in a prompt',
  'runtime/calibration/recipes.ts': 'scripts of package.json that start a test',
  'surfaces/cli/demo/make-repository.ts': 'the repository of the demo',
  'testing/contracts/agent.ts': 'the contract suites are for vitest',
  'testing/faults/sample-node.ts': 'a sample in which faults are planted',
  'testing/index.ts': 'the contract suites are for vitest',
  'views/questions/attention-text.ts': 'an example in a comment',
};

test('JavaScript is named in its value, in its test runners, and in each listed source', () => {
  const words = /\b(package\.json|package-lock|pnpm|yarn|vitest|jest|mocha)\b/i;
  const at = /^analysis\/(ecosystems|test-runners)\/javascript\//;
  const strangers = [...sources()].flatMap(([path, text]) =>
    !at.test(path) && words.test(text.replaceAll(String.raw`\.`, '.')) ? [path] : [],
  );
  expect(strangers.toSorted()).toEqual(Object.keys(javascriptElsewhere).toSorted());
});

/** Sources that name a tool in code or comment. */
function naming(words: RegExp): string[] {
  return [...sources()].flatMap(([path, text]) => (words.test(text) ? [path] : [])).toSorted();
}

test.each([
  ['gradle', /\b(gradlew?|build\.gradle)\b/i],
  ['maven', /\b(maven|mvnw?|pom\.xml)\b/i],
  ['dotnet', /\b(dotnet|csproj|nuget)\b/i],
])('An ecosystem like %s needs only its file and its line in the list', (name, words) => {
  expect(naming(words)).toEqual(
    ['analysis/ecosystems/ecosystems.ts', `analysis/ecosystems/${name}.ts`].toSorted(),
  );
});
