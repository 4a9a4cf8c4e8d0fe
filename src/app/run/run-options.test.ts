// The options of `run()`. All others are refused before the repository is touched.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import type { RunOptions } from './run-options.ts';
import { flagsOf } from './run-options.ts';
import { run } from './run.ts';

let folder = '';
const at = (path: string): string => join(folder, path);

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-options-')));
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'first');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a caller without types writes it. */
async function refusal(given: unknown): Promise<OperatorError> {
  const error = await run(given as RunOptions).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OperatorError)) throw new Error(`no OperatorError: ${String(error)}`);
  return error;
}

const good = { goal: 'g', checks: ['false'], agent: 'command:true' };

describe('Wrong options of run()', () => {
  it.each<[string, unknown, RegExp, RegExp]>([
    ['no options', undefined, /^no-goal: .*given no goal/, /run\(\{ goal/],
    ['null', null, /^no-goal: .*given no goal/, /run\(\{ goal/],
    ['a text alone', 'Add a flag', /^bad-option: .*takes an object/, /run\(\{ goal/],
    [
      'check',
      { ...good, check: ['x'] },
      /^bad-option: .*no option "check"\. Did you mean "checks"\?/,
      /goal, /,
    ],
    ['gaol', { gaol: 'g' }, /^bad-option: .*no option "gaol"\. Did you mean "goal"\?/, /taskFile/],
    ['maxLoops', { ...good, maxLoops: '1' }, /^bad-option: .*Did you mean "flags\.maxLoops"\?/, /flags/],
    [
      'flags.maxLops',
      { ...good, flags: { maxLops: '1' } },
      /^bad-option: .*no option "flags\.maxLops"\. Did you mean "flags\.maxLoops"\?/,
      /cooldown/,
    ],
    [
      'flags.check',
      { ...good, flags: { check: ['x'] } },
      /^bad-option: .*Did you mean "checks"\?/,
      /cooldown/,
    ],
    ['flags.zzzzzz', { ...good, flags: { zzzzzz: 1 } }, /^bad-option: .*"flags\.zzzzzz"\.$/, /cooldown/],
    ['flags as a list', { ...good, flags: ['--yes'] }, /^bad-option: .*"flags" of run\(\)/, /flags: \{/],
    [
      'a flag of a wrong type',
      { ...good, flags: { yes: 'no' } },
      /^bad-option: .*"flags\.yes" of/,
      /yes: true/,
    ],
    [
      'a list of a wrong type',
      { ...good, flags: { copy: 4 } },
      /^bad-option: .*"flags\.copy" of/,
      /copy: \[/,
    ],
    [
      'an agent of a wrong type',
      { ...good, agent: 42 },
      /^bad-option: .*"agent" of run\(\) is 42/,
      /agent: '/,
    ],
    [
      'an agent per role',
      { ...good, agent: { builder: 4 } },
      /^bad-option: .*"agent" of run\(\)/,
      /builder: '/,
    ],
    ['checks of a wrong type', { ...good, checks: [1] }, /^bad-option: .*"checks" of run\(\)/, /checks: \[/],
    [
      'a budget of a wrong type',
      { ...good, budget: '5' },
      /^bad-option: .*"budget" of run\(\) is "5"/,
      /budget: 5/,
    ],
    ['a goal of a wrong type', { ...good, goal: 5 }, /^bad-option: .*"goal" of run\(\) is 5/, /goal: '/],
    ['onEvent', { ...good, onEvent: 'log' }, /^bad-option: .*"onEvent" of run\(\)/, /onEvent: \(event\)/],
    ['signal', { ...good, signal: {} }, /^bad-option: .*"signal" of run\(\)/, /AbortController/],
    ['unfinished', { ...good, unfinished: 'reusme' }, /^bad-option: .*is "reusme"/, /unfinished: 'resume'/],
    [
      'goal and task file',
      { ...good, taskFile: 't.md' },
      /^goal-and-tasks: .*both a goal and a task file/,
      /taskFile/,
    ],
  ])(
    'A wrong option gives one sentence with a hint, and nothing is created: %s',
    async (_, given, message, hint) => {
      const isPlain = typeof given === 'object' && given !== null;
      const error = await refusal(isPlain ? { cwd: folder, ...given } : given);
      expect(`${error.code}: ${error.message}`).toMatch(message);
      expect(error.hint).toMatch(hint);
      expect(`${error.message} ${error.hint}`).not.toMatch(/--\w/);
      expect(existsSync(at('.git/untildone'))).toBe(false);
    },
  );

  it.each<[string, object, RegExp, RegExp]>([
    ['no agent', { agent: undefined }, /No agent/, /agent: '/],
    ['no program', { checks: ['no-such-thing x'] }, /cannot run/, /checks: \['…'\].*flags: \{ setup: '…' \}/],
    ['no budget', { budget: 0 }, /^budget usd=0: /, /budget: \{ usd: 50, sessions: 80 \}/],
    ['no number', { flags: { maxLoops: 'x' } }, /^flags\.maxLoops is "x"/, /flags: \{ maxLoops: '5' \}/],
    ['no mode', { flags: { mode: 'x' } }, /^flags\.mode is "x"/, /flags: \{ mode: 'auto' \}/],
    [
      'no time',
      { flags: { turnTimeout: 'x' } },
      /^flags\.turnTimeout is "x"/,
      /flags: \{ turnTimeout: '90s' \}/,
    ],
  ])('A wrong option is described in the words of the library: %s', async (_, given, message, hint) => {
    const env = { PATH: process.env['PATH'], HOME: at('home'), XDG_STATE_HOME: at('state') };
    const error = await refusal({ cwd: folder, env, ...good, ...given });
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
    expect(`${error.message} ${error.hint}`.replaceAll('my-cli --flag', '')).not.toMatch(/(^|\s|\()--\w/);
    expect(existsSync(at('state/untildone/runs'))).toBe(false);
  });
});

it('One check, and one value of a flag that takes several, need no list', () => {
  expect(flagsOf({ goal: 'g', checks: 'grep q q', flags: { copy: '.env*' } })).toEqual({
    check: ['grep q q'],
    copy: ['.env*'],
  });
});

it('An option that is undefined counts as absent', () => {
  const none = { taskFile: undefined, checks: undefined, budget: undefined, flags: { yes: undefined } };
  expect(flagsOf({ goal: 'g', agent: 'claude', ...none } as unknown as RunOptions)).toEqual({
    agent: ['claude'],
  });
});
