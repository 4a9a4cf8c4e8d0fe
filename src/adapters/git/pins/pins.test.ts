import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '#kernel/model/check.ts';
import type { Criterion, Pin } from '#kernel/model/criterion.ts';
import { whyPinned } from '#analysis/tampering/pins/pin-rules.ts';
import { openPinnedSample } from '#test/git/pinned-sample.ts';
import { makeSample, openSample, type Opened, type Sample } from '#test/git/sample-repository.ts';

let sample: Sample;

beforeEach(() => {
  sample = makeSample();
  sample.write(
    'package.json',
    JSON.stringify({
      scripts: {
        pretest: 'node scripts/gen.mjs',
        test: 'node --test checks/*.js && ./scripts/all.sh',
        build: 'x',
      },
    }),
  );
  sample.write('scripts/gen.mjs', 'import "./inner.mjs"; // reads "scripts/data.txt"\n');
  sample.write('scripts/inner.mjs', '');
  sample.write('scripts/data.txt', '');
  sample.write('scripts/all.sh', '. ./scripts/more.sh\nmake lint\n');
  sample.write('scripts/more.sh', 'echo\n');
  sample.write('Makefile', 'lint:\n\tpython tools/lint.py src\n');
  sample.write('tools/lint.py', '');
  sample.write('src/index.js', '');
  sample.write('src/index.test.js', 'test');
  sample.write('tests/fixtures/data.json', '{}');
  sample.write('pkg/package.json', JSON.stringify({ scripts: { check: 'node check.js' } }));
  sample.write('pkg/check.js', '');
  sample.commit('start');
});
afterEach(() => sample.remove());

function command(run: string, cwd = ''): Criterion {
  return {
    id: run,
    text: run,
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: { kind: 'command', run, cwd, timeoutMs: 1000 },
  };
}

async function open(...criteria: Criterion[]): Promise<Opened & { pins: readonly Pin[] }> {
  const opened = await openSample(sample);
  const { pins } = await opened.workspace.prepare(criteria);
  return { ...opened, pins };
}

const byCheck = (pins: readonly Pin[]): string[] =>
  pins.filter(({ why }) => why.startsWith('used by')).map(({ path }) => path);

function check(wanted: Check): Criterion {
  return { ...command('x'), check: wanted };
}

describe('pins of checks without a command', () => {
  const served = { serve: 'node src/server.mjs', cwd: '', timeoutMs: 1000 };

  it('The script of a browser check is pinned with what it loads, because a new one would judge its own author [X8]', async () => {
    sample.write('checks/page.mjs', "import '../scripts/inner.mjs';\n");
    sample.commit('script');
    const script = (path: string) => check({ kind: 'browser', look: { kind: 'script', path }, ...served });
    const { pins, workspace } = await open(script('checks/page.mjs'), script('checks/new.mjs'));
    expect(byCheck(pins)).toEqual(['checks/page.mjs', 'scripts/inner.mjs']);
    writeFileSync(join(workspace.root, 'checks/new.mjs'), 'export default () => {};\n');
    writeFileSync(join(workspace.root, 'checks/page.mjs'), 'export default () => {};\n');
    const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
    expect(broken.map(({ path, change }) => `${path} ${change}`).toSorted()).toEqual([
      'checks/new.mjs added',
      'checks/page.mjs changed',
    ]);
  });

  it('A checked server, file or symbol is not pinned [X8]', async () => {
    sample.write('src/server.mjs', '');
    sample.commit('server');
    const { pins } = await open(
      check({ kind: 'http', url: 'http://localhost:{port}/', status: 200, contains: null, ...served }),
      check({ kind: 'file', path: 'src/index.js', holds: { kind: 'contains', text: 'x' } }),
      check({ kind: 'symbol', name: 'x', what: 'any', file: 'src/index.js' }),
    );
    expect(byCheck(pins)).toEqual([]);
    expect(pins.some(({ path }) => path === 'src/server.mjs' || path === 'src/index.js')).toBe(false);
  });
});

describe('pins', () => {
  it('Pins are what the check runs, what that runs in turn, and the tests of the base [X8]', async () => {
    const { pins } = await open(command('npm test'));
    expect(byCheck(pins)).toEqual([
      'Makefile',
      'package.json#scripts.pretest',
      'package.json#scripts.test',
      'scripts/all.sh',
      'scripts/data.txt',
      'scripts/gen.mjs',
      'scripts/inner.mjs',
      'scripts/more.sh',
      'tools/lint.py',
    ]);
    const tests = pins.filter(({ why }) => why.startsWith('a test')).map(({ path }) => path);
    expect(tests).toEqual(['src/index.test.js', 'tests/fixtures/data.json']);
  });

  it('Names that Python would load instead of the test runner are pinned by their absence [X8]', async () => {
    sample.write('token.py', 'its own\n');
    sample.commit('a module with such a name');
    const { pins, workspace } = await open(command('python3 -m unittest discover'));
    writeFileSync(join(workspace.root, 'unittest.py'), 'exit(0)\n');
    writeFileSync(join(workspace.root, 'pprint.py'), 'import calculator\ncalculator.add = max\n');
    writeFileSync(join(workspace.root, 'traceback.pyc'), '');
    writeFileSync(join(workspace.root, 'token.py'), 'worked on\n');
    writeFileSync(join(workspace.root, 'calendar.py'), '');
    mkdirSync(join(workspace.root, 'argparse'));
    writeFileSync(join(workspace.root, 'argparse/__init__.py'), '');
    writeFileSync(join(workspace.root, 'calculator.py'), '');
    const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
    expect(broken.map(({ path }) => path).toSorted()).toEqual([
      'argparse/__init__.py',
      'calendar.py',
      'pprint.py',
      'traceback.pyc',
      'unittest.py',
    ]);
  });

  it('Work that a test imports, a script starts or a command checks is not pinned [X8]', async () => {
    sample.write('src/add.js', '');
    sample.write('add.sh', '');
    sample.write('greet.js', '');
    sample.write('server.mjs', '');
    sample.write('tests/add.test.js', "import { add } from '../src/add.js'; import '../tools/lint.py';\n");
    sample.write('tests/add.test.sh', '[ "$(sh add.sh 1 2)" = 3 ]\n');
    sample.write('check-server.mjs', "spawn('node', ['server.mjs']); import './check-more.mjs';\n");
    sample.write('check-more.mjs', '');
    sample.commit('work');
    const { pins } = await open(
      command('node --test tests/add.test.js'),
      command('sh tests/add.test.sh'),
      command('node greet.js | grep -q hello'),
      command('test "$(node src/add.js)" = 3'),
      command('node check-server.mjs'),
    );
    expect(byCheck(pins)).toEqual([
      'check-more.mjs',
      'check-server.mjs',
      'tests/add.test.js',
      'tests/add.test.sh',
      'tools/lint.py',
    ]);
  });

  it('Pins follow the folder of the criterion, of `cd` and of `--prefix` [X8]', async () => {
    const wanted = ['pkg/check.js', 'pkg/package.json#scripts.check'];
    for (const criterion of [
      command('npm run check', 'pkg'),
      command('cd pkg && npm run check'),
      command('npm --prefix pkg run check'),
    ]) {
      expect(byCheck((await open(criterion)).pins)).toEqual(wanted);
    }
  });

  it('A pin breaks when its file is changed, deleted or renamed, not by new tests, other scripts or allowed changes [X8]', async () => {
    const { workspace, pins } = await open(command('npm test'));
    const at = (path: string): string => join(workspace.root, path);
    writeFileSync(at('src/new.test.js'), 'new');
    writeFileSync(
      at('package.json'),
      JSON.stringify({
        scripts: {
          pretest: 'node scripts/gen.mjs',
          test: 'node --test checks/*.js && ./scripts/all.sh',
          build: 'other',
        },
        dependencies: {},
      }),
    );
    expect(await workspace.brokenPins(pins, await workspace.snapshot(), [])).toEqual([]);
    writeFileSync(at('package.json'), JSON.stringify({ scripts: { test: 'true' } }));
    writeFileSync(at('scripts/more.sh'), 'exit 0\n');
    renameSync(at('src/index.test.js'), at('src/index.old.js'));
    rmSync(at('tests'), { recursive: true });
    const tree = await workspace.snapshot();
    const broken = await workspace.brokenPins(pins, tree, ['tests/**']);
    expect(broken.map(({ path, change }) => `${path} ${change}`)).toEqual([
      'package.json#scripts.pretest deleted',
      'package.json#scripts.test changed',
      'scripts/more.sh changed',
      'src/index.test.js deleted',
    ]);
    expect(await workspace.brokenPins(pins, tree, ['**'])).toEqual([]);
  });

  it("Pins come from the base, not from the agent's version of the checkout [X8]", async () => {
    const { workspace, pins } = await open(command('npm test'));
    writeFileSync(join(workspace.root, 'src/index.test.js'), 'weakened');
    writeFileSync(join(workspace.root, 'package.json'), 'no json');
    const again = await open(command('npm test'));
    expect(again.pins).toEqual(pins);
    const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
    expect(broken.map(({ path }) => path)).toContain('package.json#scripts.test');
  });
});

describe('added files that steer a check', () => {
  const add = (root: string, path: string, text = ''): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const scripts = (more: object): string =>
    JSON.stringify({
      scripts: {
        pretest: 'node scripts/gen.mjs',
        test: 'node --test checks/*.js && ./scripts/all.sh',
        ...more,
      },
    });

  it.each([
    ['package.json', scripts({ posttest: 'true' }), 'package.json#scripts.posttest'],
    ['.npmrc', 'script-shell=/bin/true', '.npmrc#script-shell'],
    ['.yarnrc.yml', 'yarnPath: x.cjs', '.yarnrc.yml#yarnPath'],
    ['.pnpmfile.cjs', '', '.pnpmfile.cjs'],
    ['GNUmakefile', 'lint:', 'GNUmakefile'],
    ['vitest.config.mts', '', 'vitest.config.mts'],
    ['.mocharc.json', '{}', '.mocharc.json'],
    ['conftest.py', '', 'conftest.py'],
    ['node_modules/vitest/index.js', '', 'node_modules/vitest/index.js'],
    ['pkg/node_modules/x.js', '', 'pkg/node_modules/x.js'],
  ])('The new file %s breaks a pin, and the report says how to allow it [X8]', async (path, text, named) => {
    const { workspace, pins } = await open(command('npm test'));
    add(workspace.root, path, text);
    const tree = await workspace.snapshot();
    const broken = await workspace.brokenPins(pins, tree, []);
    expect(broken).toMatchObject([
      { path: named, change: 'added', why: expect.stringContaining(`--may-change '${named}'`) as unknown },
    ]);
    expect(await workspace.brokenPins(pins, tree, [named])).toEqual([]);
    expect(await workspace.brokenPins(pins, tree, [path])).toEqual([]);
  });

  it.each(['precheck', 'postcheck'])(
    'A script that a packager would run around a check is pinned by its absence: %s [X8]',
    async (name) => {
      const { workspace, pins } = await open(command('npm run check', 'pkg'));
      const manifest = { scripts: { check: 'node check.js', [name]: 'true', other: 'true' } };
      add(workspace.root, 'pkg/package.json', JSON.stringify(manifest));
      const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
      expect(broken).toMatchObject([
        {
          path: `pkg/package.json#scripts.${name}`,
          change: 'added',
          why: expect.stringContaining('would run with the script check') as unknown,
        },
      ]);
    },
  );

  it('An added file that steers a check breaks a pin at every relevant folder, and so does a nearer manifest [X8]', async () => {
    sample.write('app/[x]/src/a.js', '');
    sample.commit('more');
    const opened = await openSample(sample, { cwd: join(sample.root, 'app/[x]') });
    const { workspace } = opened;
    const { pins } = await workspace.prepare([command('npm test', 'src')]);
    for (const path of [
      'app/[x]/.pnpmfile.cjs',
      'app/[x]/jest.config.js',
      'app/[x]/src/package.json',
      'app/x/.pnpmfile.cjs',
    ])
      add(workspace.root, path);
    const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
    expect(broken.map(({ path }) => path).toSorted()).toEqual([
      'app/[x]/.pnpmfile.cjs',
      'app/[x]/jest.config.js',
      'app/[x]/src/package.json',
    ]);
  });

  it('A build configuration that no test reads is free: vite.config.ts without vitest [X8]', async () => {
    const broken = async (): Promise<string[]> => {
      const { workspace, pins } = await open(command('npm test'));
      add(workspace.root, 'vite.config.ts');
      return (await workspace.brokenPins(pins, await workspace.snapshot(), [])).map(({ path }) => path);
    };
    expect(await broken()).toEqual([]);
    const manifest = JSON.parse(scripts({})) as object;
    sample.write('package.json', JSON.stringify({ ...manifest, devDependencies: { vitest: '^3.0.0' } }));
    sample.commit('vitest');
    expect(await broken()).toEqual(['vite.config.ts']);
  });

  it('Files that steer a check are pinned as they are when the base has them [X8]', async () => {
    for (const path of [
      '.pnpmfile.cjs',
      'vitest.config.ts',
      'node_modules/own/a.js',
      'node_modules/own/b.js',
    ])
      sample.write(path, 'one');
    sample.commit('more');
    const { workspace, pins } = await open(command('npm test'));
    expect(await workspace.brokenPins(pins, await workspace.snapshot(), [])).toEqual([]);
    for (const path of ['.pnpmfile.cjs', 'vitest.config.ts', 'node_modules/own/a.js'])
      add(workspace.root, path, 'two');
    rmSync(join(workspace.root, 'node_modules/own/b.js'));
    const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
    expect(broken.map(({ path, change }) => `${path} ${change}`).toSorted()).toEqual([
      '.pnpmfile.cjs changed',
      'node_modules/own/a.js changed',
      'node_modules/own/b.js deleted',
      'vitest.config.ts changed',
    ]);
  });

  it('Tests, sources, scripts and packages of the work itself break no pin [X8]', async () => {
    const { workspace, pins } = await open(command('npm test'), command('npm run lint'));
    for (const path of [
      'src/new.js',
      'src/new.test.js',
      'tests/more/data.json',
      'lib/package.json',
      'lib/Makefile',
    ])
      add(workspace.root, path);
    add(workspace.root, 'package.json', scripts({ lint: 'eslint', prebuild: 'x', build: 'y' }));
    expect(await workspace.brokenPins(pins, await workspace.snapshot(), [])).toEqual([]);
  });

  it('A script of a check that loses its executable bit breaks its pin [X8]', async () => {
    chmodSync(join(sample.root, 'scripts/all.sh'), 0o755);
    sample.commit('executable');
    const { workspace, pins } = await open(command('npm test'));
    chmodSync(join(workspace.root, 'scripts/all.sh'), 0o644);
    const broken = await workspace.brokenPins(pins, await workspace.snapshot(), []);
    expect(broken.map(({ path, change }) => `${path} ${change}`)).toEqual(['scripts/all.sh changed']);
  });
});

describe('pinned file names', () => {
  it.each([
    'a/b.spec.ts',
    'x_test.go',
    'py/test_a.py',
    'conftest.py',
    'app_spec.rb',
    'src/test/java/A.java',
    '__tests__/x.js',
    'tests/it.rs',
    'vitest.config.ts',
    '.github/workflows/ci.yml',
    '.mvn/maven.config',
    'src/main/resources/junit-platform.properties',
    'tests.runsettings',
    'bun.lockb',
    '.eslintrc.json',
    'web/eslint.config.js',
    '.ruff.toml',
    'ruff.toml',
    'pylintrc',
    '.pylintrc',
    '.mypy.ini',
    '.flake8',
    '.clippy.toml',
    'clippy.toml',
    '.rubocop.yml',
    '.stylelintrc',
    'web/.stylelintrc.json',
    'stylelint.config.mjs',
    'tslint.json',
    '.shellcheckrc',
    'codecov.yml',
    '.codecov.yml',
    '.coveragerc',
    '.nycrc.json',
    '.prettierrc',
    '.prettierrc.yaml',
    'prettier.config.js',
  ])('The file name %s is pinned [X8]', (path) => {
    expect(whyPinned(path)).not.toBeNull();
  });

  it.each([
    'src/latest/a.ts',
    'contest.py',
    'src/testing.ts',
    'README.md',
    'package.json',
    'src/pylintrc.py',
    'src/tslint.json.ts',
    'docs/codecov.md',
    'src/prettier.ts',
    'src/ruff.toml.md',
  ])('The file name %s is not pinned', (path) => {
    expect(whyPinned(path)).toBeNull();
  });
});

it('The script that `npm init` writes is no test: the work may replace it, and other scripts are still pinned [X7]', async () => {
  const manifest = (test: string): string => JSON.stringify({ scripts: { test } });
  const placeholder = manifest('echo "Error: no test specified" && exit 1');
  const initial = await openPinnedSample({ 'package.json': placeholder }, ['npm test']);
  expect(await initial.brokenBy({ 'package.json': manifest('node --test') })).toEqual([]);
  initial.sample.remove();
  const real = await openPinnedSample({ 'package.json': manifest('node check.js && exit 1') }, ['npm test']);
  expect(await real.brokenBy({ 'package.json': manifest('true') })).toEqual([
    'package.json#scripts.test changed',
  ]);
  real.sample.remove();
});
