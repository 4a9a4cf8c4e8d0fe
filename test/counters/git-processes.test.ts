// Counts the git processes of one small run by phase. Exact: the counts depend on no clock and on no machine.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countStarts, type StartCounter } from '#test/count-starts.ts';
import { makeSample, type Sample } from '#test/git/sample-repository.ts';
import { builtEntry } from '#test/program.ts';

/** Processes started: git. Lower a number when it falls; a number that grows makes every run slower. */
const processes = { start: 19, attempt: 10, end: 23 };

const parts = Array.from({ length: 12 }, (_, number) => `scripts/part-${number}.sh`);
const files = {
  'package.json': JSON.stringify({ name: 'sum', scripts: { test: 'sh scripts/check.sh' } }),
  Makefile: 'check:\n\tsh scripts/check.sh\n',
  'scripts/check.sh': `#!/bin/sh\n${parts.map((part) => `sh ${part}`).join(' && ')}\n`,
  ...Object.fromEntries(parts.map((part, number) => [part, `#!/bin/sh\n# ${number}\ntest -s src/sum.js\n`])),
  'src/sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.js': "import { sum } from '../src/sum.js';\nif (sum(1, 2) !== 3) throw new Error('sum');\n",
  'README.md': 'A sample.\n',
};
const checks = [
  ...Array.from({ length: 7 }, (_, number) => `test -s README.md # ${number}`),
  'sh scripts/check.sh',
  'grep -q sum package.json',
  'test -f done.txt',
];

let sample: Sample;
let counter: StartCounter;

beforeEach(() => {
  sample = makeSample();
  for (const [path, text] of Object.entries(files)) sample.write(path, text);
  sample.commit('start');
  counter = countStarts('git', sample.home);
});
afterEach(() => sample.remove());

it('A run starts exactly this many git processes before, in and after its attempts', async () => {
  expect(await runOnce()).toBe(0);
  const [start = [], first = [], second = [], last = []] = counter.phases();
  const lists = [start, first, last].map((phase) => phase.map((args) => args.join(' ')).join('\n'));
  const counted = { start: start.length, attempt: first.length, end: last.length };
  expect(counted, `the calls:\n\n${lists.join('\n\n')}\n`).toEqual(processes);
  expect(second.length, 'a later attempt costs what the first one costs').toBeLessThanOrEqual(first.length);
});

/** Its third attempt is the first one that passes. The phases begin with the agent. */
function runOnce(): Promise<number | null> {
  const agent = join(sample.home, 'agent.sh');
  const work = `printf x >> work.txt\nif [ "$(cat work.txt)" = xxx ]; then echo done > done.txt; fi\n`;
  writeFileSync(agent, `${counter.nextPhase}\n${work}`);
  const config = join(sample.home, 'config', 'untildone', 'config.jsonc');
  mkdirSync(dirname(config), { recursive: true });
  const settings = {
    agents: { small: { driver: 'command', command: ['sh', agent] } },
    // Its cost belongs to the tests of a repository, not to a run.
    acceptance: { calibration: 'off' },
  };
  writeFileSync(config, JSON.stringify(settings));
  const args = ['run', 'work', '--agent', 'small', '--cooldown', '0', '--no-setup'];
  const asked = checks.flatMap((check) => ['--check', check]);
  const child = spawn(process.execPath, [builtEntry('cli'), ...args, ...asked], {
    cwd: sample.root,
    env: {
      ...sample.env,
      PATH: counter.path,
      XDG_CONFIG_HOME: join(sample.home, 'config'),
      XDG_STATE_HOME: join(sample.home, 'state'),
      UNTILDONE_SANDBOX: 'none',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      NO_COLOR: '1',
    },
    stdio: 'ignore',
  });
  return new Promise((resolve) => {
    child.once('close', resolve);
  });
}
