import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import { parseConfig } from '#config/config-file.ts';
import { loopNames } from './loops.ts';
import { criteriaOfMarkdown } from '#tasks/markdown-criteria.ts';
import { readTaskFile } from '#tasks/task-file.ts';
import type { WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import { criteriaNotes, toCriteria } from '#tasks/criteria/written-criteria.ts';
import { taskText } from '#tasks/written-task.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-task-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function task(name: string, text: string) {
  await writeFile(join(folder, name), text);
  const { tasks, notes } = await readTaskFile(folder, name);
  const [only] = tasks;
  if (only === undefined || tasks.length > 1) throw new Error('one task is expected');
  return { ...only, notes };
}

describe('A task file in markdown [K1]', () => {
  it('A markdown task file gives a title, an id, a goal and criteria with their lines', async () => {
    const read = await task(
      'login.md',
      [
        '# TASK-015: Log in',
        '',
        'People log in with a password.',
        '',
        '## Acceptance Criteria',
        '',
        '- [ ] AC-1: there is a form',
        '      with two fields (check: grep -q form login.html)',
        '- [x] **AC-7**: errors are told (optional)',
        '* [ ] slow suite passes (check: `npm run e2e`) (at acceptance)',
        '- it looks good (human)',
        '',
        '## Notes',
        '',
        '- not a criterion',
      ].join('\n'),
    );
    expect(read).toMatchObject({ id: 'TASK-015', title: 'Log in' });
    expect(taskText(read)).toContain('People log in');
    expect(taskText(read)).toContain('not a criterion');
    expect(taskText(read)).not.toContain('AC-1');
    expect(read.notes[0]).toContain('a tick proves nothing');
    expect(read.criteria).toMatchObject([
      {
        id: 'AC-1',
        text: 'there is a form with two fields',
        check: 'grep -q form login.html',
        from: 'login.md:7',
      },
      { id: 'AC-7', text: 'errors are told', required: false, check: null, from: 'login.md:9' },
      { text: 'slow suite passes', check: 'npm run e2e', when: 'acceptance' },
      { text: 'it looks good', check: 'human', from: 'login.md:11' },
    ]);
  });

  it('A markdown task file has its entry criteria under a separate heading', async () => {
    const { criteria } = await task(
      't.md',
      '# T\n### Entry criteria\n- [ ] the server is up (check: true)\n### Acceptance criteria\n1. [ ] it works (check: test $(wc -l < a) = 3)\n',
    );
    expect(criteria).toMatchObject([
      { kind: 'entry', text: 'the server is up' },
      { kind: 'exit', check: 'test $(wc -l < a) = 3' },
    ]);
  });

  it.each([
    ['no text', '# T\n- [ ]\n', 't.md:2: a criterion has no text.'],
    ['an open check', '# T\n\n- [ ] x (check: npm test\n', 't.md:3: the check is not closed'],
    ['an empty check', '# T\n- [ ] x (check: )\n', 't.md:2: the check is empty.'],
    ['none', '# T\nDo it.\n', 't.md:1: task main has no acceptance criteria;'],
    ['a fence only', '# T\n```\n- [ ] x\n```\n', 't.md:1: task main has no acceptance criteria;'],
  ])('An error in a markdown task file names file and line: %s [X6]', async (_, text, message) => {
    await expect(task('t.md', text)).rejects.toThrow(message);
  });

  it('A missing task file is named in the error [X6]', async () => {
    await expect(readTaskFile(folder, 'gone.md')).rejects.toThrow(
      'gone.md cannot be read: there is no such file.',
    );
  });
});

describe('A task file in JSON [K1]', () => {
  it('A JSON task file gives the same content as a markdown one', async () => {
    const read = await task(
      't.json',
      `{ // comments are fine
        "id": "T-1", "title": "Log in",
        "criteria": [
          "there is a form",
          { "id": "e", "text": "up", "kind": "entry", "check": "true" },
          { "text": "good", "check": "human", "required": false },
        ],
      }`,
    );
    expect(read).toMatchObject({ id: 'T-1', title: 'Log in' });
    expect(read.criteria).toMatchObject([
      { text: 'there is a form', check: null, from: 't.json:4:11' },
      { id: 'e', kind: 'entry', check: 'true' },
      { check: 'human', required: false },
    ]);
  });

  it.each([
    ['a mistyped key', '{ "criteria": [{ "txt": "x" }] }', /t\.json:1:\d+: .*"criteria\.0\.t/],
    ['a broken file', '{ "criteria": [', /t\.json:1:\d+: is not valid JSON/],
    ['an empty list', '{ "criteria": [] }', /t\.json:1:1: task main has no acceptance criteria/],
  ])('An error in a JSON task file names file and line: %s [X6]', async (_, text, message) => {
    await expect(task('t.json', text)).rejects.toThrow(message);
  });
});

describe('The text of a goal', () => {
  it('The text of a goal gives its checkboxes and its section, and nothing else', () => {
    const criteria = criteriaOfMarkdown(
      'Do it:\n- by hand\n- [ ] a works\n\nAcceptance criteria:\n- b works\n',
      'the goal',
    );
    expect(criteria.map(({ text, from }) => [text, from])).toEqual([
      ['a works', 'the goal:3'],
      ['b works', 'the goal:6'],
    ]);
  });
});

describe('Checks for sentences', () => {
  const one = (text: string, known: Partial<WrittenCriterion> = {}): WrittenCriterion => ({
    text,
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: null,
    from: 't.md:1',
    ...known,
  });
  const writing = {
    timeoutMs: 1000,
    taken: ['verifier'],
    loops: { autoInferVerification: true, suggestBrowserTests: true },
    infer: async (text: string) =>
      text.includes('test')
        ? {
            checks: [{ kind: 'command', run: 'npm test', cwd: '', timeoutMs: 1 }] as const,
            confidence: 0.9,
            why: 'package.json says so',
          }
        : { checks: null, why: 'it is vague', suggestion: null },
  } as const;

  it('A sentence gets an inferred check with confidence and reason, or a person decides it [K8]', async () => {
    const made = await toCriteria([one('all tests pass'), one('it feels fast')], writing);
    expect(made).toMatchObject([
      {
        id: 'AC-1',
        check: { kind: 'command', run: 'npm test' },
        origin: { check: 'inferred', confidence: 0.9 },
      },
      { id: 'AC-2', check: { kind: 'human' }, origin: { check: 'none' } },
    ]);
    expect(criteriaNotes(made)).toEqual([
      'AC-1 "all tests pass" is decided by `npm test` (inferred, 90 % sure: package.json says so)',
      'AC-2 "it feels fast" is decided by a person: it is vague',
    ]);
  });

  it('A sentence that is written as a check is that check', async () => {
    const lines = ['file:docs/api.md', 'symbol:parse@src/parse.ts', 'http://localhost:8080/health'];
    const loops = { ...writing.loops, autoInferVerification: false };
    const made = await toCriteria(
      [...lines, 'file: the report'].map((text) => one(text)),
      { ...writing, loops },
    );
    expect(made.map(({ check }) => check.kind)).toEqual(['file', 'symbol', 'http', 'human']);
    expect(made[0]).toMatchObject({ text: 'file:docs/api.md', origin: { check: 'given' } });
  });

  it('With autoInferVerification off, a person decides every sentence [K2]', async () => {
    const loops = { ...writing.loops, autoInferVerification: false };
    const [made] = await toCriteria([one('all tests pass')], { ...writing, loops });
    expect(made).toMatchObject({ check: { kind: 'human' }, origin: { check: 'none' } });
  });

  it('With suggestBrowserTests on, a sentence about a screen gets a suggestion; with it off, none [K2]', async () => {
    const [made] = await toCriteria([one('the page shows a red button')], writing);
    expect(made?.origin?.suggestion).toContain('browser check');
    const loops = { ...writing.loops, suggestBrowserTests: false };
    const [quiet] = await toCriteria([one('the page shows a red button')], { ...writing, loops });
    expect(quiet?.origin?.suggestion).toBeUndefined();
  });

  it('A sentence that needs several checks becomes several criteria', async () => {
    const check = { kind: 'file', path: 'a', holds: { kind: 'exists' } } as const;
    const infer = async () => ({
      checks: [check, { ...check, path: 'b' }] as const,
      confidence: 1,
      why: 'x',
    });
    const made = await toCriteria([one('a and b exist')], { ...writing, infer });
    expect(made.map(({ id }) => id)).toEqual(['AC-1', 'AC-1.2']);
    expect(made.map(({ text }) => text)).toEqual(['a and b exist (a exists)', 'a and b exist (b exists)']);
  });

  it('A duplicate id and an entry criterion without a check are refused', async () => {
    await expect(
      toCriteria([one('x', { id: 'a' }), one('y', { id: 'a', from: 't.md:9' })], writing),
    ).rejects.toThrow('t.md:9: the id a is already used by t.md:1.');
    await expect(toCriteria([one('vague', { kind: 'entry' })], writing)).rejects.toThrow(
      't.md:1: an entry criterion',
    );
  });
});

describe('The settings loops.* in the configuration [K2]', () => {
  it('The loops.* settings have the documented names and defaults', () => {
    expect(defaultLoops).toEqual({
      enabled: true,
      enforced: true,
      blockExitUntilComplete: true,
      requireVerification: true,
      blockOnSkip: true,
      maxRetries: 5,
      maxIterations: 20,
      commitEvery: 3,
      pauseBetweenScenarios: false,
      autoInferVerification: true,
      fallbackToManual: true,
      suggestBrowserTests: true,
    });
  });

  it('Every loops.* setting is accepted, with comments, and a mistyped name gets a suggestion', async () => {
    await mkdir(join(folder, 'x'));
    const text = `{ "loops": { // all of them\n${loopNames.map((name) => `"${name}": ${JSON.stringify(defaultLoops[name])},`).join('\n')} } }`;
    const layer = await parseConfig(text, 'config.jsonc', 'project');
    expect([...layer.keys()]).toEqual(loopNames.map((name) => `loops.${name}`));
    await expect(
      parseConfig('{ "loops": { "maxIteration": 3 } }', 'config.jsonc', 'project'),
    ).rejects.toThrow('config.jsonc:1:14: unknown key "loops.maxIteration"; did you mean "maxIterations"?');
    await expect(parseConfig('{ "loops": { "maxRetries": 0 } }', 'c', 'project')).rejects.toThrow(
      'loops.maxRetries',
    );
  });
});

describe('A check inside a criterion [K1] [X10]', () => {
  it('A check inside a criterion keeps all of its fields', async () => {
    const { criteria: written } = await task(
      'login.json',
      JSON.stringify({
        title: 'Log in',
        description: 'log in',
        criteria: [
          {
            text: 'the suite passes',
            check: {
              id: 'suite',
              run: 'npm run e2e',
              cwd: 'web',
              timeout: '3m',
              parallel: true,
              when: 'acceptance',
              required: false,
            },
          },
          { id: 'AC-9', text: 'it builds', when: 'acceptance', check: { run: 'make', parallel: false } },
        ],
      }),
    );
    const writing = { timeoutMs: 1000, taken: [], loops: defaultLoops, infer: null };
    const [suite, build] = await toCriteria(written, writing);
    expect(suite).toMatchObject({
      id: 'suite',
      text: 'the suite passes',
      when: 'acceptance',
      required: false,
      alone: false,
      check: { kind: 'command', run: 'npm run e2e', cwd: 'web', timeoutMs: 180_000 },
    });
    expect(build).toMatchObject({ id: 'AC-9', when: 'acceptance', required: true, alone: true });
  });
});
