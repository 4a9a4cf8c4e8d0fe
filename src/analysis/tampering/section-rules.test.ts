// The parts of a manifest that decide checks, and the parts that honest work may change: each rule from both
// sides.
import { describe, expect, it } from 'vitest';
import { changedSections } from './section-rules.ts';
import { sectionsOf } from '#analysis/ecosystems/manifests/sections.ts';

const base = [
  'src/main.rs',
  'src/a.ts',
  'src/b.ts',
  'test/a.test.ts',
  'packages/one/package.json',
  'packages/one/a.test.ts',
];

function changed(path: string, before: string, after: string, now: readonly string[] = base): string[] {
  const [old, present] = [sectionsOf(path, before), sectionsOf(path, after)];
  const wanted = new Set(['vitest', '@scope/tools', 'left']);
  const files = { base, now };
  return changedSections({ path, before, after, old, now: present, files, wanted, moved: new Set() })
    .map(([section, change]) => `${section} ${change}`)
    .toSorted();
}

const json = (value: object): string => JSON.stringify(value);
const types = (compilerOptions: object, more: object = {}): string => json({ compilerOptions, ...more });

describe('module names', () => {
  const aliased = types({ baseUrl: '.', paths: { '@/*': ['src/*'] } });

  it.each([
    [types({}), types({ paths: { vitest: ['fake/vitest.ts'] } }), 'paths.vitest added'],
    [types({}), types({ paths: { 'vitest/*': ['fake/*'] } }), 'paths.vitest/* added'],
    [types({}), types({ paths: { '@scope/*': ['fake/*'] } }), 'paths.@scope/* added'],
    [types({}), types({ paths: { '*': ['fake/*'] } }), 'paths.* added'],
    [types({}), types({ paths: { 'node:assert': ['fake/assert.ts'] } }), 'paths.node:assert added'],
    [aliased, types({ baseUrl: '.', paths: { '@/*': ['fake/*'] } }), 'paths.@/* changed'],
    [aliased, types({ baseUrl: '.', paths: { '@/*': ['fake/*', 'src/*'] } }), 'paths.@/* changed'],
    [aliased, types({ baseUrl: '.', paths: { '@/*': ['src/*'], '@/a': ['fake/a.ts'] } }), 'paths.@/a added'],
    [aliased, types({ baseUrl: 'fake', paths: { '@/*': ['src/*'] } }), 'compilerOptions.baseUrl changed'],
    [types({}), types({ rootDirs: ['src', 'fake'] }), 'compilerOptions.rootDirs added'],
    [types({}), types({}, { extends: './fake.json' }), 'extends added'],
  ])('The meaning of a module name is pinned: %s → %s [X8]', (before, after, broken) => {
    expect(changed('tsconfig.json', before, after)).toContain(broken);
    expect(changed('jsconfig.json', before, after)).toContain(broken);
  });

  it('A folder that is searched first and has the name of a package is pinned [X8]', () => {
    const after = types({ baseUrl: 'src' });
    expect(changed('tsconfig.json', types({}), after, [...base, 'src/vitest.ts'])).toEqual([
      'compilerOptions.baseUrl added',
    ]);
    expect(changed('tsconfig.json', types({}), after)).toEqual([]);
  });

  it.each([
    [types({}), aliased],
    [types({}), types({ paths: { '~parser': ['src/parser.ts'] } })],
    [aliased, types({ baseUrl: '.', paths: { '@/*': ['src/*', 'generated/*'] } })],
    [aliased, types({ baseUrl: '.' })],
  ])('A module name that meant nothing before is free: %s → %s [X8]', (before, after) => {
    expect(changed('tsconfig.json', before, after)).toEqual([]);
  });

  it('A module name may follow sources that moved [X8]', () => {
    const after = types({ baseUrl: '.', paths: { '@/*': ['lib/*'] } });
    expect(changed('tsconfig.json', aliased, after, ['lib/a.ts', 'lib/b.ts'])).toEqual([]);
    const imports = (target: string): string => json({ imports: { '#*': target } });
    expect(changed('package.json', imports('./src/*'), imports('./lib/*'), ['lib/a.ts'])).toEqual([]);
    expect(changed('package.json', imports('./src/*'), imports('./lib/*'))).toEqual(['imports.#* changed']);
  });

  it('In package.json, module names for tests alone are pinned; the exports for users are free [X8]', () => {
    const manifest = { main: './a.js', imports: { '#a': './src/a.ts' } };
    const before = json(manifest);
    const fake = { '.': { development: './fake.js', default: './a.js' } };
    expect(changed('package.json', before, json({ ...manifest, exports: fake }))).toEqual([
      'exports.development added',
    ]);
    const honest = {
      type: 'module',
      main: './dist/a.js',
      exports: { '.': { import: './a.mjs', require: './a.cjs' } },
      imports: { '#a': './src/a.ts', '#b': './src/b.ts' },
    };
    expect(changed('package.json', before, json(honest))).toEqual([]);
  });
});

describe('strictness of types', () => {
  it.each([
    [types({ strict: true }), types({ strict: false }), 'compilerOptions.strict changed'],
    [types({ strict: true }), types({}), 'compilerOptions.strict deleted'],
    [types({ strict: true }), types({ strict: true, noCheck: true }), 'compilerOptions.noCheck added'],
    [
      types({ strict: true }),
      types({ strict: true, strictNullChecks: false }),
      'compilerOptions.strictNullChecks added',
    ],
    [types({}, { include: ['src', 'test'] }), types({}, { include: ['src'] }), 'include.test deleted'],
    [types({}), types({}, { include: ['src/b.ts'] }), 'scope added'],
    [types({}), types({}, { exclude: ['src'] }), 'exclude.src added'],
    [types({}, { references: [{ path: 'a' }] }), types({}), 'references.{"path":"a"} deleted'],
  ])('The strictness of types may not fall: %s → %s [X8]', (before, after, broken) => {
    expect(changed('tsconfig.json', before, after)).toContain(broken);
  });

  it.each([
    [types({}), types({ strict: true, noImplicitAny: true, skipLibCheck: false })],
    [types({ strict: false }), types({ strict: true })],
    [types({ strict: true }), types({ strict: true, target: 'es2024', noEmit: true, types: ['node'] })],
    [types({}, { include: ['src'] }), types({}, { include: ['src', 'scripts'] })],
    [types({}), types({}, { exclude: ['dist', 'node_modules'], references: [{ path: 'b' }] })],
  ])('The strictness of types may rise, and more files may be checked: %s → %s [X8]', (before, after) => {
    expect(changed('tsconfig.json', before, after)).toEqual([]);
  });
});

describe('settings of package managers', () => {
  it.each([
    ['.npmrc', 'script-shell=/bin/true\n', 'script-shell added'],
    ['.npmrc', 'save-exact=true\nnode-options = --require ./fake.cjs\n', 'node-options added'],
    ['.npmrc', 'registry=https://evil.invalid/\n', 'registry added'],
    ['.npmrc', '@scope:registry=https://evil.invalid/\n', '@scope:registry added'],
    ['.npmrc', 'if-present=true\n', 'if-present added'],
    ['.yarnrc', 'yarn-path "./fake.js"\n', 'yarn-path added'],
    ['.yarnrc.yml', 'yarnPath: fake.cjs\n', 'yarnPath added'],
    ['.yarnrc.yml', 'plugins:\n  - path: fake.cjs\n', 'plugins added'],
    ['.npmrc', "'node-options'='--require ./fake.cjs'\n", 'node-options added'],
    ['.yarnrc.yml', '  yarnPath: fake.cjs\n', 'yarnPath added'],
    ['.yarnrc.yml', '{ "yarnPath": "fake.cjs" }\n', 'yarnPath added'],
    ['.yarnrc.yml', '"yarn\\x50ath": fake.cjs\n', 'yarnPath added'],
    ['.yarnrc.yml', 'a: |\n  # text\nyarnPath: fake.cjs\n', 'yarnPath added'],
    ['.yarnrc.yml', 'x: &x {yarnPath: fake.cjs}\n<<: *x\n', 'yarnPath added'],
    ['.yarnrc.yml', 'a: 1\n---\nyarnPath: fake.cjs\n', 'unreadable added'],
    ['.yarnrc.yml', 'a: 1\na: 2\n', 'unreadable added'],
    [
      'pnpm-workspace.yaml',
      "packages:\n  - 'packages/*'\noverrides:\n  vitest: link:fake\n",
      'overrides added',
    ],
    ['pnpm-workspace.yaml', "packages:\n- packages/*\n- '!packages/one'\n", 'members.!packages/one added'],
    ['bunfig.toml', 'preload = ["./fake.ts"]\n', 'preload added'],
    ['bunfig.toml', '[test]\nroot = "fake"\n', 'test added'],
  ])('A package manager setting that steers is detected: %s %j [X8]', (path, text, broken) => {
    expect(changed(path, '', text)).toEqual(expect.arrayContaining([broken]) as unknown);
  });

  it.each([
    [
      '.npmrc',
      'save-exact=true\nengine-strict=true\n# registry=x\n//host.invalid/:_authToken=${TOKEN}\nfund=false\n',
    ],
    ['.npmrc', 'public-hoist-pattern[]=*eslint*\nauto-install-peers=true\nlegacy-peer-deps=true\n'],
    ['.yarnrc.yml', 'nodeLinker: node-modules\n\nenableTelemetry: false\n'],
    [
      'pnpm-workspace.yaml',
      "packages:\n  - 'packages/*'\n  - '!**/fixtures'\nonlyBuiltDependencies:\n  - esbuild\n",
    ],
    ['bunfig.toml', 'telemetry = false\n[install]\nexact = true\n'],
  ])('Other package manager settings are free: %s %j [X8]', (path, text) => {
    expect(changed(path, '', text)).toEqual([]);
  });
});

describe('package sources in manifests', () => {
  const cargo =
    '[package]\nname = "a"\n[dependencies]\nserde = "1"\nown = { path = "own" }\n[dev-dependencies]\nproptest = "1"\n';
  const python =
    '[project]\nname = "a"\ndependencies = [\n  "httpx",\n]\n[dependency-groups]\ndev = ["pytest>=8"]\n[tool.uv.sources]\nown = { path = "own" }\n';
  const go = 'module sample\n\nrequire (\n\tgithub.com/stretchr/testify v1.9.0\n)\n';

  it.each([
    [
      'Cargo.toml',
      cargo,
      cargo.replace('proptest = "1"', 'proptest = { path = "fake" }'),
      'place.proptest added',
    ],
    [
      'Cargo.toml',
      cargo,
      cargo.replace('proptest = "1"', '[dev-dependencies.proptest]\ngit = "https://x.invalid"'),
      'place.proptest added',
    ],
    [
      'Cargo.toml',
      cargo,
      cargo.replace('serde = "1"', 'serde = { version = "1", package = "evil" }'),
      'place.serde added',
    ],
    ['Cargo.toml', cargo, cargo.replace('path = "own"', 'path = "fake"'), 'place.own changed'],
    [
      'Cargo.toml',
      '[workspace]\nmembers = ["packages/*"]\n',
      '[workspace]\nmembers = []\n',
      'members.packages/* deleted',
    ],
    [
      'Cargo.toml',
      '[workspace]\nmembers = ["packages/*"]\n',
      '[workspace]\nmembers = ["packages/*"]\nexclude = [\n  "packages/one",\n]\n',
      'exclude.packages/one added',
    ],
    ['pyproject.toml', python, `${python}pytest = { path = "fake" }\n`, 'place.pytest added'],
    ['pyproject.toml', python, python.replace('"pytest>=8"', '"pytest @ file:./fake"'), 'place.pytest added'],
    [
      'pyproject.toml',
      python,
      `${python}[[tool.uv.index]]\nurl = "https://evil.invalid"\n`,
      'tool.uv.index added',
    ],
    [
      'pyproject.toml',
      '[tool]\n',
      '[tool."pyt\\u0065st".ini_options]\naddopts = "-k no"\n',
      'tool.pytest added',
    ],
    ['pyproject.toml', '[tool]\n', '[tool]\na = [\n["z"]\n]\nruff.exclude = ["*"]\n', 'tool.ruff added'],
    ['pyproject.toml', '[tool]\n', '[tool]\na = """\n[z]\n"""\nruff.exclude = ["*"]\n', 'tool.ruff added'],
    [
      'composer.json',
      json({ scripts: { test: 'phpunit' } }),
      json({ scripts: { test: 'true' } }),
      'command.test changed',
    ],
    [
      'composer.json',
      json({}),
      json({ scripts: { 'post-install-cmd': 'x' } }),
      'command.post-install-cmd added',
    ],
    [
      'composer.json',
      json({}),
      json({ repositories: [{ type: 'path', url: 'fake' }] }),
      'repositories added',
    ],
    ['requirements-dev.txt', 'pytest\n', 'pytest @ file:./fake\n', 'place.pytest added'],
    ['requirements.txt', 'pytest\n', 'pytest \\\n @ file:./fake\n', 'place.pytest added'],
    [
      'go.mod',
      go,
      `${go} replace github.com/stretchr/testify => ./fake\n`,
      'place.github.com/stretchr/testify added',
    ],
    ['Cargo.toml', cargo, `${cargo}[lib]\npath = "fake.rs"\n`, 'lib.path added'],
    ['Cargo.toml', cargo, `${cargo}[[bin]]\nname = "a"\npath = "fake.rs"\n`, 'bin.a added'],
    ['requirements.txt', 'pytest\n', '--index-url https://evil.invalid\npytest\n', 'index added'],
    [
      'go.mod',
      go,
      `${go}replace github.com/stretchr/testify => ./fake\n`,
      'place.github.com/stretchr/testify added',
    ],
    [
      'go.mod',
      go,
      `${go}replace (\n\tgithub.com/stretchr/testify v1.9.0 => ./fake\n)\n`,
      'place.github.com/stretchr/testify added',
    ],
    ['go.work', 'go 1.22\nuse (\n\t./a\n\t./b\n)\n', 'go 1.22\nuse ./a\n', 'use../b deleted'],
    [
      'package.json',
      json({ workspaces: ['packages/*'] }),
      json({ workspaces: [] }),
      'members.packages/* deleted',
    ],
    [
      'package.json',
      json({ devDependencies: { vitest: '^3' } }),
      json({ devDependencies: { vitest: 'file:fake' } }),
      'devDependencies.vitest added',
    ],
  ])('The source of a package is pinned in %s %# [X8]', (path, before, after, broken) => {
    expect(changed(path, before, after)).toContain(broken);
  });

  it.each([
    [
      'Cargo.toml',
      cargo,
      cargo.replace(
        'serde = "1"',
        'serde = { version = "2", features = ["derive"] }\nmine = { path = "mine" }',
      ),
    ],
    ['Cargo.toml', cargo, cargo.replace('path = "own"', 'path = "own", features = ["x"]')],
    ['Cargo.toml', cargo, `${cargo}[[bin]]\nname = "tool"\npath = "src/tool.rs"\n`],
    ['Cargo.toml', cargo, cargo.replace('own = { path = "own" }', 'own.path = "own"')],
    [
      'Cargo.toml',
      '[workspace]\nmembers = ["packages/one"]\n',
      '[workspace]\nmembers = [\n  "packages/*", # all\n]\n',
    ],
    [
      'pyproject.toml',
      python,
      python
        .replace('"httpx",', '"httpx>=1",\n  "rich",')
        .replace('own =', 'mine = { path = "mine" }\nown ='),
    ],
    [
      'pyproject.toml',
      '[tool.hatch.envs.test]\ndependencies = ["pytest"]\n',
      '[tool.hatch.envs.test]\ndependencies = ["pytest", "rich"]\n',
    ],
    ['composer.json', json({ require: {} }), json({ require: { 'a/b': '^1' }, scripts: { lint: 'x' } })],
    ['requirements.txt', 'pytest==8.0\n', 'pytest==8.1\nmine @ file:./mine\n'],
    ['go.mod', go, `${go}require example.com/mine v0.0.0\nreplace example.com/mine => ./mine\n`],
    ['go.work', 'go 1.22\nuse ./a\n', 'go 1.23\nuse (\n\t./a\n\t./b\n)\n'],
    ['package.json', json({ workspaces: ['packages/one'] }), json({ workspaces: ['packages/*', 'apps/*'] })],
    [
      'package.json',
      json({ dependencies: { own: 'workspace:*' } }),
      json({ devDependencies: { own: 'workspace:*' } }),
    ],
    ['package.json', json({ dependencies: { own: 'workspace:*' } }), json({})],
  ])('The source of a new, newer or removed package is free: %s %# [X8]', (path, before, after) => {
    expect(changed(path, before, after)).toEqual([]);
  });
});

describe('spellings of the same content', () => {
  const python = '[project]\nname = "a"\nversion = "1.0"\n[tool.pytest.ini_options]\naddopts = "-ra"\n';
  const cargo = '[package]\nname = "a"\nversion = "1.0"\n[lints.rust]\nunused = "deny"\n';

  it.each([
    [
      'pyproject.toml',
      python,
      python.replace('"1.0"', `"1.0" # '''`).replace('"-ra"', '"-k nothing"'),
      'tool.pytest changed',
    ],
    [
      'Cargo.toml',
      cargo,
      cargo.replace('"1.0"', '"1.0" # """').replace('"deny"', '"allow"'),
      'lints changed',
    ],
    [
      'pyproject.toml',
      python,
      python.replace('[tool.pytest.ini_options]', '[tool."pytest.ini_options"]'),
      'tool.pytest deleted',
    ],
    [
      'pyproject.toml',
      '[tool.coverage.report]\nfail_under = inf\n',
      '[tool.coverage.report]\nfail_under = nan\n',
      'tool.coverage changed',
    ],
    ['pyproject.toml', python, `${python}broken = \n`, 'unreadable added'],
    ['Cargo.toml', cargo, `${cargo}[package]\n`, 'unreadable added'],
    ['package.json', '{"jest": {}}', '{"jest": {} "vitest": {}}', 'unreadable added'],
    ['package.json', '{}', '['.repeat(100_000), 'unreadable added'],
    ['turbo.json', '{}', '{"tasks": {"test": {}', 'unreadable added'],
    ['compose.yaml', 'services: {}\n', 'services: {\n', 'unreadable added'],
  ])('A comment, a spelling or an error hides no table: %s %# [X8]', (path, before, after, broken) => {
    expect(changed(path, before, after)).toContain(broken);
  });

  it.each([
    [
      'pyproject.toml',
      python,
      python.replace('[tool.pytest.ini_options]\naddopts', '[tool]\npytest.ini_options.addopts'),
    ],
    [
      'pyproject.toml',
      python,
      python.replace(
        '[tool.pytest.ini_options]\naddopts = "-ra"',
        '[tool.pytest]\nini_options = { addopts = "-ra" }',
      ),
    ],
    ['pyproject.toml', python, python.replace('"-ra"', "'-ra' # quiet")],
    [
      'compose.yaml',
      'services:\n  tests:\n    command: npm test\n',
      '# ours\nservices: {tests: {command: "npm test"}}\n',
    ],
    [
      'compose.yaml',
      'services:\n  tests:\n    image: a\n    command: npm test\n',
      'x-all: &all\n  image: a\nservices:\n  tests:\n    <<: *all\n    command: npm test\n',
    ],
  ])('The same content in another form is no change: %s %# [X8]', (path, before, after) => {
    expect(changed(path, before, after)).toEqual([]);
  });
});
