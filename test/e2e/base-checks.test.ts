// The results of the checks on the base decide whether the run spends money.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { prompts } from './looking.ts';
import type { Finished } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';

const isHere = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const hasPython = isHere('/usr/bin/python3', '--version');
const hasGo = isHere('go', 'version');

function run(place: Place, check: string, builder: string, ...flags: string[]): Promise<Finished> {
  return place.untildone(['run', 'do it', '--check', check, ...flags, ...shellAgents(place, { builder })]);
}

const mark = (place: Place): string => `touch '${place.folder}/agent-was-here'; ${saysDone}`;

/** What is wrong with a refusal: one sentence on the screen, exit 2, and no session. */
function flaws(place: Place, { stdout, stderr, code }: Finished, sentence: string): string[] {
  const found: { readonly [flaw: string]: boolean } = {
    'does not say so': !stdout.includes(`✗ Not started: ${sentence}. No session was started.`),
    'does not list it': !stdout.includes(`✗ check `),
    'names no next command': !/^Next: .*--setup/m.test(stdout),
    'shows a stack or a bug': /bug in untildone/.test(stdout + stderr),
    [`exits with ${code}`]: code !== 2,
    'started an agent':
      existsSync(join(place.folder, 'agent-was-here')) || sessionsOf(eventsOf(place)).length > 0,
  };
  const wrong = Object.keys(found).filter((flaw) => found[flaw]);
  return wrong.length === 0 ? [] : [...wrong, stdout, stderr];
}

describe('Tests written before the work', () => {
  it('Tests in JavaScript written before the work are an ordinary failure, and their run completes', async () => {
    const place = makePlace({
      files: {
        'package.json': '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
        'add.test.js':
          "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from './add.js';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
      },
    });
    const builder = `echo 'export const add = (a, b) => a + b;' > add.js; ${saysDone}`;
    const { stdout, code } = await run(place, 'npm test', builder);
    const before = stdout.slice(0, stdout.indexOf('builder_001 starts'));
    expect(before).toMatch(/ {2}✓ check npm-test: fails before the work \(1 failing test\)/);
    expect(before.match(/✓ check npm-test/g)).toHaveLength(1);
    expect(code).toBe(0);
  });

  it.skipIf(!hasPython)(
    `Tests in Python written before the work are an ordinary failure${hasPython ? '' : ' — NOT RUN: python3 is missing'}`,
    async () => {
      const place = makePlace({
        files: {
          'pyproject.toml': '[project]\nname = "sums"\nversion = "1"\ndependencies = []\n',
          'test_sums.py':
            'import unittest\nfrom sums import add\n\nclass TestSums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
        },
      });
      const builder = `printf 'def add(a, b):\\n    return a + b\\n' > sums.py; ${saysDone}`;
      const { stdout, code } = await run(place, 'python3 -m unittest', builder, '--setup', 'true');
      expect(stdout).toContain('✓ check python3-m-unittest: fails before the work');
      expect(code).toBe(0);
    },
  );

  // Written in the format of Go 1.22, not recorded: for machines without it.
  const recorded =
    'sum_test.go:6:2: no required module provides package example.com/sums/add; to add it:\\n\\tgo get example.com/sums/add\\nFAIL\\texample.com/sums [setup failed]\\nFAIL\\n';

  it('Tests in Go written before the work are an ordinary failure, by recorded output', async () => {
    const place = makePlace({
      files: {
        'go.mod': 'module example.com/sums\n\ngo 1.22\n',
        'check.sh': `test -f add/add.go && exit 0\nprintf '${recorded}'\nexit 1\n`,
      },
    });
    const builder = `mkdir -p add; echo 'package add' > add/add.go; ${saysDone}`;
    const { stdout, code } = await run(place, 'sh check.sh', builder);
    expect(stdout).toContain('✓ check sh-check-sh: fails before the work');
    expect(code).toBe(0);
  });

  it.skipIf(!hasGo)(
    `Tests in Go written before the work are an ordinary failure${hasGo ? '' : ' — NOT RUN: go is missing'}`,
    async () => {
      const place = makePlace({
        files: {
          'go.mod': 'module example.com/sums\n\ngo 1.18\n',
          'sum_test.go':
            'package sums\n\nimport (\n\t"testing"\n\n\t"example.com/sums/add"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif add.Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
        },
      });
      const builder = `mkdir -p add; printf 'package add\\n\\nfunc Add(a, b int) int { return a + b }\\n' > add/add.go; ${saysDone}`;
      expect((await run(place, 'go test ./...', builder)).code).toBe(0);
    },
  );
});

describe('A base that no work can turn green', () => {
  it('A base whose script needs a package that is not installed is refused; after the installation the same command starts a new run', async () => {
    const place = makePlace({
      files: {
        'package.json':
          '{ "scripts": { "test": "no-such-runner" }, "devDependencies": { "no-such-runner": "1" } }\n',
      },
    });
    const flags = ['--setup', 'true'];
    const sentence =
      'the check npm-test cannot pass here: the package "no-such-runner" is declared in package.json and not installed';
    expect(flaws(place, await run(place, 'npm test', mark(place), ...flags), sentence)).toEqual([]);
    // Fixed outside of the repository: the program is on PATH now.
    place.write('tools/no-such-runner', '#!/bin/sh\ngrep -q right done.txt\n');
    place.makeExecutable('tools/no-such-runner');
    const agents = shellAgents(place, { builder: `echo right > done.txt; ${saysDone}` });
    const again = await place.untildone(['run', 'do it', '--check', 'npm test', ...flags, ...agents], {
      env: { PATH: `${place.folder}/tools:${place.env['PATH'] ?? ''}` },
    });
    expect(again.stderr).not.toMatch(/other inputs|Resum/);
    expect(again.code).toBe(0);
    expect(runFolders(place)).toHaveLength(2);
  });

  it('A base whose test imports a package that is not installed is refused', async () => {
    const place = makePlace({
      files: {
        'package.json': '{ "type": "module" }\n',
        'a.test.js': "import 'node:test';\nimport 'no-such-package';\n",
      },
    });
    const sentence =
      'the check node-test cannot pass here: the package "no-such-package" is not installed, and no package.json declares it';
    const refused = await run(place, 'node --test', mark(place));
    expect(flaws(place, refused, sentence)).toEqual([]);
    // Of the failure itself a person sees the words.
    expect(refused.stdout).toContain("Cannot find package 'no-such-package'");
  });

  it.skipIf(!hasPython)(
    `A base is refused if a declared Python module is missing${hasPython ? '' : ' — NOT RUN: python3 is missing'}`,
    async () => {
      const place = makePlace({
        files: {
          'requirements.txt': 'no_such_distribution==1.0\n',
          'test_sums.py':
            'import unittest\nimport no_such_distribution\n\nclass TestSums(unittest.TestCase):\n    def test_add(self):\n        pass\n',
        },
      });
      const sentence =
        'the check python3-m-unittest cannot pass here: the module "no_such_distribution" is declared in requirements.txt and not installed';
      const refused = await run(place, 'python3 -m unittest', mark(place), '--setup', 'true');
      expect(flaws(place, refused, sentence)).toEqual([]);
    },
  );

  it('A base is refused if a program is missing that the setup should have installed', async () => {
    const place = makePlace();
    const sentence = 'the check nmp-test cannot pass here: there is no program "nmp" on PATH';
    expect(flaws(place, await run(place, 'nmp test', mark(place), '--setup', 'true'), sentence)).toEqual([]);
  });

  it('A person can retry a run whose base was refused', async () => {
    const place = makePlace();
    const builder = `echo right > done.txt; ${saysDone}`;
    const check = 'test -f done.txt || { nmp test; }';
    const refused = await run(place, check, builder, '--setup', 'true');
    expect(refused.code).toBe(2);
    const retried = await place.untildone(['retry', 'main']);
    expect(retried.stdout).toContain('✅ Completed');
    expect(retried.stdout).toMatch(/^Task main is open again\./);
    expect(retried.stdout).not.toContain('Resuming');
  });

  it('A base that only looks broken gives a warning, and the run continues', async () => {
    const place = makePlace({
      files: { 'check.sh': 'test -f done.txt || { echo "connect ECONNREFUSED 127.0.0.1:5432"; exit 1; }\n' },
    });
    const { stdout, code } = await run(place, 'sh check.sh', `echo right > done.txt; ${saysDone}`);
    expect(stdout).toMatch(
      / {2}! check sh-check-sh: fails before the work; this looks like a broken setup: .*ECONNREFUSED/,
    );
    expect(code).toBe(0);
  });
});

describe('The report of a failed check', () => {
  it('A failed check reaches the next builder, the screen and the summary by its output, not by the end of a stack', async () => {
    const deep = Array.from(
      { length: 500 },
      (_, index) => `    at deep${index} (/project/a.js:${index}:1)`,
    ).join('\\n');
    const report = `not ok 1 - adds\\n  AssertionError: 3 is not 4\\n${deep}\\n# pass 0\\n# fail 1\\n`;
    const place = makePlace({
      files: { 'check.sh': `grep -q right done.txt || { printf '${report}'; exit 1; }\n` },
    });
    const { stdout, code } = await run(
      place,
      'sh check.sh',
      `echo wrong$n > done.txt; ${saysDone}`,
      '--max-loops',
      '2',
    );
    const [, second = ''] = prompts(place, 'builder');
    expect(second).toMatch(/not ok 1 - adds\n {2}AssertionError: 3 is not 4/);
    expect(second).not.toContain('deep499');
    expect(stdout).toContain('> not ok 1 - adds');
    expect(stdout).not.toContain('deep499');
    const summary = stdout.slice(stdout.lastIndexOf('Exhausted:'));
    expect(summary).toContain('1 failing test: not ok 1 - adds: AssertionError: 3 is not 4');
    expect(code).toBe(3);
  });
});
