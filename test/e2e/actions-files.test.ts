// The files that an action loop writes, the texts that a repository can replace, and agents without resumable
// conversations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seesFile } from './agents.ts';
import { callLibrary } from './call-library.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { actionsIn, develop, init, loopFlags, oneTask, report, reports } from './loop-agents.ts';
import { newestRun, prompts, viewsOf } from './looking.ts';
import { makePlace } from './place.ts';

describe('Files of an action loop', () => {
  it('A loop leaves a page for each kind of action, a change log, and compatible names in state.json and --json [A4] [A9] [X6]', async () => {
    const place = makePlace();
    const wrong = [
      { write: { path: 'done.txt', text: 'wrong\n' } },
      reports({ action: 'DEVELOP', message: 'First try.', state: oneTask('done'), files: ['done.txt'] }),
    ];
    const hypotheses = [
      { id: 'h1', text: 'the word is wrong', evidence: 'cat done.txt', status: 'confirmed' },
    ];
    const debug = [
      { write: { path: 'done.txt', text: 'right\n' } },
      reports({ action: 'DEBUG', message: 'Found it.', state: { hypotheses }, files: ['done.txt'] }),
    ];
    const flags = loopFlags(place, [init, wrong, debug]);
    const { code, stdout } = await place.untildone(['run', 'do it', '--check', seesFile, '--json', ...flags]);
    expect(code).toBe(0);
    const runId = newestRun(place);
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { [name: string]: unknown };
    const state = {
      loop_id: runId,
      status: 'completed',
      mode: 'auto',
      current_iteration: 3,
      max_iterations: 10,
      skill_state: { ...oneTask('done'), hypotheses },
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    };
    const loop = { status: 'completed', loop_id: runId, iterations: 3, final_state: state };
    expect(last).toMatchObject({ type: 'result', ...loop });
    const page = (name: string): string => readFileSync(join(viewsOf(place), name), 'utf8');
    expect(JSON.parse(page('state.json'))).toMatchObject({ loop });

    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    expect(page('develop.md')).toMatch(new RegExp(`^## ${time}: DEVELOP, success \\(iteration 2\\)$`, 'm'));
    expect(page('develop.md')).toContain('- [x] t1: write done.txt');
    expect(page('develop.md')).not.toContain('Found it.');
    expect(page('debug.md')).toContain('- h1 (confirmed): the word is wrong\n  Evidence: cat done.txt');
    expect(page('debug.md')).toContain('Found it.');
    expect(page('validate.md')).toMatch(
      /VALIDATE, failed \(iteration 2\)[\s\S]*VALIDATE, success \(iteration 3\)/,
    );
    expect(page('changes.log').split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(`^${time} iteration 2 DEVELOP [0-9a-f]{10}\\.\\.[0-9a-f]{10} done\\.txt$`),
      ),
      expect.stringMatching(
        new RegExp(`^${time} iteration 3 DEBUG [0-9a-f]{10}\\.\\.[0-9a-f]{10} done\\.txt$`),
      ),
      '',
    ]);
    expect(page('summary.md')).toContain('- Iterations: 3 of at most 10');
    expect(page('summary.md')).toContain('Loop completed successfully.');
  });

  it('The library returns the same loop report as `result.loop` [A9] [X6]', async () => {
    const place = makePlace();
    const [, , , , , agent = ''] = loopFlags(place, [init, develop]);
    const options = { goal: 'do it', checks: [seesFile], agent };
    const flags = { preset: 'actions', verifier: 'none', maxIterations: 4 };
    const { result } = await callLibrary(place, { ...options, flags });
    expect(result).toMatchObject({
      outcome: 'completed',
      loop: {
        status: 'completed',
        iterations: 2,
        loop_id: newestRun(place),
        final_state: { current_iteration: 2, max_iterations: 4, skill_state: oneTask('done') },
      },
    });
  });
});

describe('Texts that a repository can replace', () => {
  it('A repository can replace the texts of the role, the actions and the project, and INIT reads them all [A1] [A10]', async () => {
    const place = makePlace({
      files: {
        'README.md': 'A sample.\n',
        '.untildone/actions/role.md': 'You are the keeper of the lamp.\n',
        '.untildone/actions/develop.md': 'Develop as in 1843.\n',
        '.workflow/project-tech.json': '{"language": "difference engine"}\n',
        '.untildone/project-guidelines.json': '{"rule": "brass only"}\n',
      },
    });
    const flags = loopFlags(place, [init, develop]);
    expect((await place.untildone(['run', 'do it', '--check', seesFile, ...flags])).code).toBe(0);
    const [first = '', second = ''] = prompts(place, 'builder');
    expect(first.startsWith('You are the keeper of the lamp.')).toBe(true);
    for (const text of [
      'Develop as in 1843.',
      'difference engine',
      'brass only',
      '.workflow/project-tech.json',
    ])
      expect(first).toContain(text);
    // The other actions keep the texts of the package.
    expect(first).toContain('Find out why a check fails');
    expect(second).toContain('Develop as in 1843.');
    expect(second).not.toContain('keeper of the lamp');
  });
});

describe('Agents without a conversation', () => {
  it('An agent without a conversation is announced as emulated; each turn receives the state, the last results and the changes [A1]', async () => {
    const place = makePlace();
    const said = {
      INIT: report({
        action: 'INIT',
        message: 'I read it.',
        state: { ...oneTask('pending'), lamp: 'green' },
      }),
      one: report({ action: 'DEVELOP', message: 'Half of it.', state: { lamp: 'red' } }),
      two: report({ action: 'DEVELOP', message: 'All of it.', state: oneTask('done') }),
    };
    for (const [name, text] of Object.entries(said)) place.write(`${name}.txt`, text);
    const agent = place.write(
      'agent.sh',
      [
        `prompt=$(cat)`,
        `case "$prompt" in`,
        `*"## This turn: INIT"*) cat '${place.folder}/INIT.txt' ;;`,
        `*) if [ -e half.txt ]; then echo right > done.txt; cat '${place.folder}/two.txt'; else echo half a lamp > half.txt; cat '${place.folder}/one.txt'; fi ;;`,
        `esac\n`,
      ].join('\n'),
    );
    const flags = ['--preset', 'actions', '--verifier', 'none', '--agent', `command:sh ${agent}`];
    const { code, stdout } = await place.untildone(['run', 'do it', '--check', seesFile, ...flags]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /emulated: a fresh session in each turn, with the state, the last results and the changes/,
    );
    expect(actionsIn(place).slice(0, 3)).toEqual([
      'INIT 1 success',
      'DEVELOP 2 success',
      'DEVELOP 3 success',
    ]);
    expect(sessionsOf(eventsOf(place)).map(({ deed }) => deed.resume)).toEqual([null, null, null]);
    const third = prompts(place, 'builder')[2] ?? '';
    expect(third).toContain('"lamp": "red"');
    expect(third).toContain('Turn 1, INIT: success. I read it.');
    expect(third).toContain('Turn 2, DEVELOP: success. Half of it.');
    expect(third).toMatch(/half\.txt[\s\S]*half a lamp/);
  });
});

describe('Flags of the action loop', () => {
  it.each([
    ['--mode', 'auto'],
    ['--max-iterations', '3'],
    ['--turn-timeout', '5m'],
  ])(
    'The loop flag %s is refused with another preset, and the hint names the fix [X6]',
    async (flag, value) => {
      const place = makePlace();
      const agent = ['--agent', 'command:true', '--verifier', 'none'];
      const { code, stderr } = await place.untildone(['run', 'x', '--check', 'true', flag, value, ...agent]);
      expect(stderr).toBe(
        `${flag} is for the preset actions; this run has the preset builder-verifier.\nHint: Leave out ${flag}, or add --preset actions.\n`,
      );
      expect(code).toBe(2);
    },
  );

  it.each([
    ['--mode', 'sometimes'],
    ['--max-iterations', '0'],
    ['--max-iterations', 'many'],
    ['--turn-timeout', 'soon'],
  ])('The loop flags %s %s are refused before anything starts [X6]', async (flag, value) => {
    const place = makePlace();
    const args = ['run', 'do it', '--check', 'true', flag, value, ...loopFlags(place, [init])];
    const { code, stderr, stdout } = await place.untildone(args);
    expect(stderr).toContain(flag);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
