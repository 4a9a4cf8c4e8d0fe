// `untildone choose`: every choice of the menu without a terminal, by one person, by two at once, and by the agent
// itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seesFile, shellAgents, writesFile } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { actionsIn, develop, init, loopFlags, oneTask, reports } from './loop-agents.ts';
import { newestRun, prompts } from './looking.ts';
import type { Finished } from './package.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { until } from './wait.ts';

describe('The action loop in interactive mode without a terminal', () => {
  it('A loop without a terminal prints each choice with its exact command and parks; those commands drive it to completion [A3] [A10]', async () => {
    const place = makePlace();
    const half = [
      { write: { path: 'done.txt', text: 'wrong\n' } },
      reports({ action: 'DEVELOP', message: 'half' }),
    ];
    const fix = [
      { write: { path: 'done.txt', text: 'right\n' } },
      reports({ action: 'DEBUG', message: 'fixed', state: oneTask('done') }),
    ];
    const first = await begin(place, [init, half, fix]);
    expect(first.code).toBe(6);
    expect(first.stdout).toMatch(/mode:\s+interactive: you choose the next action/);
    for (const name of ['develop', 'debug', 'validate', 'complete'])
      expect(first.stdout).toMatch(
        new RegExp(`^ {2}untildone choose ${name} +--run ${newestRun(place)}( |$)`, 'm'),
      );
    expect(actionsIn(place)).toEqual(['INIT 1 success']);

    const text = 'begin with "the parser"\nand then: $(rm -rf /)';
    const data = { file: 'src/cli.js', depth: [1, { two: null }] };
    const words = ['--text', text, '--data', JSON.stringify(data), '--run', newestRun(place)];
    const second = await place.untildone(['choose', 'develop', ...words]);
    expect(second).toMatchObject({ code: 6, stderr: '' });
    expect(second.stdout).toContain('Chose DEVELOP.');
    const told = prompts(place, 'builder')[1] ?? '';
    expect(told).toContain(text);
    expect(told).toContain(JSON.stringify(data, null, 2));

    const validated = await place.untildone(['choose', 'validate']);
    expect(validated.code).toBe(6);
    expect(validated.stdout).toContain('[Iteration 2] Action: VALIDATE, Status: failed');
    const refused = await place.untildone(['choose', 'complete']);
    expect(refused.code).toBe(6);
    expect(refused.stdout).toContain('[Iteration 2] Action: COMPLETE, Status: failed');
    expect((await place.untildone(['choose', 'DEBUG'])).code).toBe(6);
    // The reasons for the refusal are the first lines of the next turn; the words of an earlier choice are not repeated.
    expect(prompts(place, 'builder')[2]?.slice(0, 400)).toContain(seesFile);
    expect(prompts(place, 'builder')[2]).not.toContain('begin with');
    const done = await place.untildone(['choose', 'complete']);
    expect(done.stdout).toMatch(/^Loop completed successfully$/m);
    expect(done.code).toBe(0);
    // Our own actions start no session of the builder.
    expect(sessionsOf(eventsOf(place))).toHaveLength(3);
    expect(actionsIn(place).at(-1)).toBe('COMPLETE 3 success');
    expect((await place.untildone(['choose', 'develop', '--run', newestRun(place)])).code).toBe(2);
  });

  it('A loop continues by itself after `resume --mode auto`, and asks again after `--mode interactive` [A3]', async () => {
    const place = makePlace();
    const asks = [reports({ action: 'DEVELOP', status: 'needs_input', message: 'Which way?' })];
    expect((await begin(place, [init, asks, develop])).code).toBe(6);
    const auto = await place.untildone(['resume', '--mode', 'auto']);
    expect(auto.stdout).toContain('Which way?');
    expect(auto.code).toBe(6);
    const back = await place.untildone(['resume', '--mode', 'interactive']);
    expect(back.code).toBe(6);
    // A choice answers the question, too.
    const chosen = await place.untildone(['choose', 'develop', '--text', 'left']);
    expect(chosen.code).toBe(6);
    expect(prompts(place, 'builder')[2]).toContain('left');
    expect(actionsIn(place)).toEqual(['INIT 1 success', 'DEVELOP 2 needs_input', 'DEVELOP 3 success']);
    expect(chosen.stdout).toContain('untildone choose complete');
  });
});

describe('Concurrent choices', () => {
  it('If several processes choose at once, one wins and the others are refused with the name of the winner [A3] [Q4]', async () => {
    const place = makePlace();
    const waits = [{ run: `while [ ! -e '${place.folder}/go' ]; do sleep 0.05; done` }, ...develop];
    expect((await begin(place, [init, waits])).code).toBe(6);
    const racing = ['develop', 'develop', 'develop'].map((name) => place.start(['choose', name]));
    let over = 0;
    for (const { ended } of racing) void ended.then(() => (over += 1));
    await until('the others to be refused', () => over === 2);
    writeFileSync(join(place.folder, 'go'), '');
    const ends = await Promise.all(racing.map(({ ended }) => ended));
    const winner = racing[ends.findIndex(({ code }) => code === 6)];
    expect(winner).toBeDefined();
    const refused = ends.filter(({ code }) => code === 2);
    expect(refused).toHaveLength(2);
    for (const { stderr } of refused) expect(stderr).toContain(`(pid ${winner?.pid}) chose DEVELOP already`);
    expect(eventsOf(place).filter(({ type }) => type === 'action-chosen')).toHaveLength(1);
    expect(actionsIn(place)).toEqual(['INIT 1 success', 'DEVELOP 2 success']);
  });
});

describe('Refused choices', () => {
  it('A choice that the agent makes inside its own run is refused, and nothing is chosen [A3] [X12]', async () => {
    const place = makePlace();
    const tries = (command: string): object => ({
      run: `cd '${place.repo}'; ${command} >> '${place.folder}/tried' 2>&1; echo "code $?" >> '${place.folder}/tried'`,
    });
    const sly = [
      tries(`'${bin()}' choose complete`),
      tries(`env -u UNTILDONE_MARK setsid -w '${bin()}' choose complete`),
      ...init,
    ];
    expect((await begin(place, [sly])).code).toBe(6);
    const tried = place.read('tried');
    expect(tried.match(/an agent may not control its own run/g)).toHaveLength(2);
    expect(tried.match(/code 2/g)).toHaveLength(2);
    expect(eventsOf(place).some(({ type }) => type === 'action-chosen')).toBe(false);
  });

  it('A choice is refused with one sentence and the next command: during a turn, unknown, unreadable, too long, or for another preset [A3] [X6]', async () => {
    const place = makePlace();
    const waits = [
      { say: 'waiting\n' },
      { run: `while [ ! -e '${place.folder}/go' ]; do sleep 0.05; done` },
      ...init,
    ];
    const driver = place.start([
      'run',
      'do it',
      '--check',
      seesFile,
      ...interactive,
      ...loopFlags(place, [waits]),
    ]);
    await until('the turn', () => driver.stdout().includes('waiting'));
    expectRefusal(await place.untildone(['choose', 'develop']), /at work on INIT/, /untildone status/);
    writeFileSync(join(place.folder, 'go'), '');
    expect((await driver.ended).code).toBe(6);
    const bad: [string[], RegExp, RegExp][] = [
      [['choose', 'dance'], /There is no action "dance" to choose\./, /develop, debug, validate, complete/],
      [['choose', 'init'], /There is no action "init" to choose\./, /develop, debug, validate, complete/],
      [['choose', 'debug', '--data', '{"a":'], /--data is not valid JSON\./, /--data '\{/],
      [['choose', 'debug', '--text', 'x'.repeat(70_000)], /--text has 70000 characters/, /name that file/],
      [['choose', 'debug', '--run', 'nope'], /nope/, /untildone/],
    ];
    for (const [args, sentence, hint] of bad) expectRefusal(await place.untildone(args), sentence, hint);
    expect(actionsIn(place)).toEqual(['INIT 1 success']);
    expect((await place.untildone(['stop'])).code).toBe(0);
    const over = await place.untildone(['choose', 'develop', '--run', newestRun(place)]);
    expectRefusal(over, /stopped/, /untildone/);

    const builder = `touch '${place.folder}/other'; while [ ! -e '${place.folder}/on' ]; do sleep 0.05; done; ${writesFile}`;
    const agents = shellAgents(place, { builder });
    const other = place.start([
      'run',
      'another',
      '--check',
      seesFile,
      '--verifier',
      'none',
      ...agents.slice(0, 2),
    ]);
    await until('the other run', () => other.stdout().includes('builder_001 starts'));
    expectRefusal(
      await place.untildone(['choose', 'develop']),
      /has the preset builder-verifier, which has no actions to choose from\./,
      /untildone status/,
    );
    writeFileSync(join(place.folder, 'on'), '');
    expect((await other.ended).code).toBe(0);
  });
});

const interactive = ['--mode', 'interactive'];

/** To the first choice. */
function begin(place: Place, turns: readonly (readonly object[])[]): Promise<Finished> {
  return place.untildone(['run', 'do it', '--check', seesFile, ...interactive, ...loopFlags(place, turns)]);
}

/** One sentence, and the way on. */
function expectRefusal({ code, stdout, stderr }: Finished, sentence: RegExp, hint: RegExp): void {
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(sentence);
  expect(lines[1]).toMatch(/^Hint: /);
  expect(lines[1]).toMatch(hint);
  expect(stdout).toBe('');
  expect(code).toBe(2);
}
