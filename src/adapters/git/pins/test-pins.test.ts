// Tests that no rule about names finds, in real repositories.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGit, type Git } from '#adapters/git/repo/git.ts';
import type { PinGround } from './pin-context.ts';
import { computePins, findBrokenPins } from './pins.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import type { Criterion } from '#kernel/model/criterion.ts';

const nodeTest = "import { test } from 'node:test';\ntest('adds', () => {});\n";

let sample: Sample;

beforeEach(() => {
  sample = makeSample();
  sample.write('src/sum.js', 'export const sum = 1;\n');
});
afterEach(() => sample.remove());

function command(run: string): Criterion {
  const check = { kind: 'command', run, cwd: '', timeoutMs: 1000 } as const;
  return { id: run, text: run, kind: 'exit', required: true, when: 'attempt', check };
}

function groundAt(base: string, git = createGit(sample.root, sample.env)): PinGround {
  return { git, gitDir: join(sample.root, '.git'), base, prefix: '' };
}

/** Paths that are pinned, without those that stand for files to come. */
async function pinned(checks: readonly string[] = [], goals: readonly string[] = []): Promise<string[]> {
  const pins = await computePins(groundAt(sample.commit('start')), checks.map(command), goals);
  return pins.filter(({ hash }) => /^1[0-9]{5} /.test(hash)).map(({ path }) => path);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(sample.root, path)), { recursive: true });
  symlinkSync(target, join(sample.root, path));
}

describe('tests recognised by their text', () => {
  it('A file that runs tests under a name of its own is pinned; product code beside it is not [X8]', async () => {
    sample.write('checks/sum.mjs', nodeTest);
    sample.write('src/testing/render.js', "import { it } from 'vitest';\nexport const render = it;\n");
    expect(await pinned()).toEqual(['checks/sum.mjs']);
  });

  it('A shell script that runs tests is pinned with the files that it calls, also without a suffix; sourced product code is not [X8]', async () => {
    sample.write('src/add.sh', '[ $# -eq 2 ] || exit 1\necho $(($1 + $2))\n');
    sample.write(
      'lib/steps',
      '#!/bin/sh\n. lib/one.sh\n. src/add.sh\nfor t in tests/*.sh; do run_one "$t"; done\n',
    );
    chmodSync(join(sample.root, 'lib/steps'), 0o755);
    sample.write('lib/one.sh', 'run_one() {\n  sh "$1"\n}\n');
    sample.write('lib/sums.sh', '[ "$(sh src/add.sh 2 3)" = 5 ] || exit 1\n');
    expect(await pinned()).toEqual(['lib/one.sh', 'lib/steps', 'lib/sums.sh']);
  });

  it('Cucumber scenarios pin the steps that run them [X8]', async () => {
    sample.write('features/sum.feature', 'Feature: sum\n');
    sample.write('features/steps/sum.py', 'from behave import given\n');
    expect(await pinned()).toEqual(['features/steps/sum.py', 'features/sum.feature']);
  });

  it('Two hundred files take as many git processes as two; binary and long files are left out [X8]', async () => {
    const countCalls = async (): Promise<[calls: number, paths: string[]]> => {
      const git = createGit(sample.root, sample.env);
      let calls = 0;
      const counted: Git = {
        ...git,
        ask: (...args) => ((calls += 1), git.ask(...args)),
        tell: (...args) => ((calls += 1), git.tell(...args)),
      };
      const pins = await computePins(groundAt(sample.commit('more'), counted), []);
      return [calls, pins.filter(({ path }) => path.startsWith('checks/')).map(({ path }) => path)];
    };
    sample.write('checks/a.js', nodeTest);
    sample.write('checks/b.js', `${nodeTest}// \0 \n`);
    sample.write('checks/c.js', `${nodeTest}//${'x'.repeat(2_100_000)}\n`);
    const [few, paths] = await countCalls();
    expect(paths).toEqual(['checks/a.js']);
    for (let at = 0; at < 200; at += 1) sample.write(`checks/more${at}.js`, `${nodeTest}// ${at}\n`);
    const [many, all] = await countCalls();
    expect(all).toHaveLength(201);
    expect(many).toBe(few);
  });
});

describe('links', () => {
  it('A test that is a link pins the file it leads to, through a chain and a linked folder [X8]', async () => {
    sample.write('real/deep/sum.js', '// plain asserts\n');
    link('shared', 'real');
    link('middle.js', 'shared/deep/sum.js');
    link('src/sum.test.js', '../middle.js');
    const pins = await pinned();
    expect(pins).toContain('real/deep/sum.js');
    expect(pins).toContain('src/sum.test.js');
  });

  it('A test folder that is a link pins everything in the folder it leads to [X8]', async () => {
    sample.write('quality/sum.js', '// plain asserts\n');
    sample.write('quality/cases/one.txt', '1\n');
    link('test', 'quality');
    expect(await pinned()).toEqual(['quality/cases/one.txt', 'quality/sum.js', 'test']);
  });

  it('A link to a test is pinned; a test folder that links to the sources does not pin them [X8]', async () => {
    sample.write('test/sum.js', '// plain asserts\n');
    link('checks', 'test');
    link('test/lib', '../src');
    link('test/self', '../..');
    expect(await pinned()).toEqual(['checks', 'test/lib', 'test/self', 'test/sum.js']);
  });

  it('A check that starts a script through a link pins the script and the link [X8]', async () => {
    sample.write('tools/rate.sh', 'exit 1\n');
    link('check.sh', 'tools/rate.sh');
    link('loop.sh', 'loop.sh');
    expect(await pinned(['sh check.sh', 'sh loop.sh'])).toEqual(
      expect.arrayContaining(['check.sh', 'tools/rate.sh']),
    );
  });

  it('Settings and instructions that are links pin their targets [X8]', async () => {
    sample.write('config/lint.json', '{}');
    link('.eslintrc.json', 'config/lint.json');
    expect(await pinned()).toEqual(['.eslintrc.json', 'config/lint.json']);
  });
});

describe('submodules', () => {
  function addSubmodule(path: string, files: readonly string[]): void {
    const source = join(sample.home, `source-${path.replaceAll('/', '-')}`);
    mkdirSync(source, { recursive: true });
    sample.gitIn(source, 'init', '-q');
    for (const file of files) sample.write(`../${source.slice(sample.home.length + 1)}/${file}`, 'x\n');
    sample.gitIn(source, 'add', '-A');
    sample.gitIn(source, 'commit', '-q', '-m', 'one');
    sample.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, path);
  }

  it('A submodule is pinned by its name, by its tests, and by a check that uses it [X8]', async () => {
    addSubmodule('vendor/json-test-suite', ['a.json']);
    addSubmodule('exam', ['sum.test.js', 'README.md']);
    addSubmodule('grading', ['rate.sh']);
    addSubmodule('vendor/lib', ['index.js', 'more.js', 'other.js', 'test/a.js']);
    expect(await pinned(['sh grading/rate.sh'])).toEqual(['exam', 'grading', 'vendor/json-test-suite']);
  });

  it('Another commit, another repository or plain files in the place of tests break a pin; a new submodule does not [X8]', async () => {
    addSubmodule('exam', ['sum.test.js']);
    const ground = groundAt(sample.commit('start'));
    const pins = await computePins(ground, []);
    const brokenNow = async (): Promise<string[]> => {
      const broken = await findBrokenPins(ground, pins, sample.commit('work'), []);
      return broken.map(({ path, change }) => `${path} ${change}`);
    };
    addSubmodule('vendor/lib', ['index.js']);
    expect(await brokenNow()).toEqual([]);
    sample.git('config', '-f', '.gitmodules', 'submodule.exam.url', '../elsewhere');
    expect(await brokenNow()).toEqual(['.gitmodules#submodule.exam changed']);
    sample.gitIn(join(sample.root, 'exam'), 'commit', '-q', '--allow-empty', '-m', 'two');
    expect(await brokenNow()).toEqual(['.gitmodules#submodule.exam changed', 'exam changed']);
    sample.git('rm', '-q', '-f', 'exam');
    sample.write('exam/sum.test.js', '');
    expect(await brokenNow()).toEqual(['.gitmodules#submodule.exam deleted', 'exam deleted']);
  });
});

describe('data that a test names', () => {
  it.each([
    ['from the folder of the test', "read('../fixtures/sum.json');"],
    ['from the root', "read('fixtures/sum.json');"],
    ['by parts', "read(join(root, 'fixtures', 'sum.json'));"],
    ['beside a variable', 'read(`${here}/fixtures/sum.json`);'],
    ['by its folder', "readdir('fixtures');"],
  ])('A fixture is pinned when a test names it %s [X8]', async (_, text) => {
    sample.write('test/sum.test.js', text);
    sample.write('fixtures/sum.json', '[1]');
    sample.write('data/countries.json', '[]');
    expect(await pinned()).toEqual(['fixtures/sum.json', 'test/sum.test.js']);
  });

  it('A fixture is free when no test names it, or the goal does [X8]', async () => {
    sample.write('test/sum.test.js', "read('fixtures/sum.json');");
    sample.write('fixtures/sum.json', '[1]');
    sample.write('fixtures/other.json', '[1]');
    expect(await pinned([], ['Add three to fixtures/sum.json.'])).toEqual(['test/sum.test.js']);
    expect(await pinned([], ['Add three to the sum.'])).toContain('fixtures/sum.json');
  });

  it('Data that only a test names is pinned; data that the product reads or the goal names, and data on its own, is free [X8]', async () => {
    sample.write('test/a.test.sh', 'while read -r a; do :; done < data/sums.txt; cat stock/prices.json\n');
    sample.write('data/sums.txt', '1\n');
    sample.write('stock/prices.json', '1\n');
    sample.write('src/shop.js', "export default read('../stock/prices.json');\n");
    expect(await pinned()).toEqual(['data/sums.txt', 'test/a.test.sh']);
    expect(await pinned([], ['Add 2 to data/sums.txt'])).toEqual(['test/a.test.sh']);
    sample.git('rm', '-q', '-r', '-f', 'src');
    expect(await pinned()).toEqual(['test/a.test.sh']);
  });

  it('Product data and product code that a test reads stay free: the goal changes them [X8]', async () => {
    sample.write(
      'test/a.test.js',
      "read('data/countries.json'); load('src/fixtures/list.js'); run('bin/cli');",
    );
    sample.write('data/countries.json', '["Italy"]');
    sample.write('src/fixtures/list.js', '');
    sample.write('bin/cli', '');
    sample.write('README.md', '');
    expect(await pinned([], ['Add Malta to data/countries.json'])).toEqual(['test/a.test.js']);
  });
});
