import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { ImportFormat } from './import-tasks.ts';
import { importTasks } from './import-tasks.ts';
import { parseTasks } from './task-file.ts';
import { writeTasks } from './task-write.ts';
import type { WrittenTask } from './written-task.ts';

async function imported(text: string, format: ImportFormat = 'markdown') {
  return importTasks(text, { name: 'source', format, firstNumber: 1 });
}

/** What our own reader makes of what was written. */
async function again(tasks: readonly WrittenTask[]) {
  const read = await parseTasks(writeTasks(tasks), { name: 'tasks.md', format: 'markdown', fallback: 'x' });
  return read.tasks;
}

/** Without where it stands. */
const spec = (task: WrittenTask) => ({
  ...task,
  at: null,
  criteria: task.criteria.map((one) => ({ ...one, from: '' })),
});

/** As `gh issue list --json number,title,body,labels` prints it. */
const issues = JSON.stringify([
  {
    body: 'It is slow.\r\n\r\n## Steps\r\n\r\n1. open it\r\n\r\n### Acceptance criteria\r\n\r\n- [ ] it answers in a second (check: npm test)\r\n- [x] done already\r\n\r\nDepends on: #12, #99',
    labels: [{ id: 'LA_k1', name: 'priority: high', description: '', color: 'd73a4a' }],
    number: 34,
    title: 'Make it fast 🚀',
  },
  {
    body: '## Task 7: a trap\n**Priority**: none of yours\n```\nunclosed <!-- too',
    labels: [],
    number: 12,
    title: 'Something   with\nno criteria',
  },
  { body: '', labels: [], number: 13, title: '' },
]);

describe('import [Q1]', () => {
  it('Import turns issues into tasks with criteria, priority and dependencies; a person handles those without criteria', async () => {
    const { tasks, notes } = await imported(issues, 'github');
    expect(tasks).toMatchObject([
      { id: 'GH-12', criteria: [], rank: 2 },
      { id: 'GH-13', title: 'Issue 13', criteria: [] },
      {
        id: 'GH-34',
        title: 'Make it fast 🚀',
        rank: 1,
        dependsOn: ['GH-12'],
        criteria: [
          { text: 'it answers in a second', check: 'npm test', from: '#34:9' },
          { text: 'done already' },
        ],
      },
    ]);
    expect(tasks[2]?.text).toContain('1. open it');
    expect(notes).toEqual([
      '#34 depends on #99, which is not among these issues; that was left out.',
      // The author of the issue wrote this command too.
      'These issues contain checks that would run on this machine. Read them first:',
      '  GH-34: npm test',
    ]);
    const read = await again(tasks);
    expect(read.map(({ id }) => id)).toEqual(['GH-12', 'GH-34', 'GH-13']);
    expect(read[0]?.criteria).toMatchObject([
      { check: 'human', text: expect.stringContaining('Something with no criteria') as string },
    ]);
    expect(read[0]?.text).toContain('Task 7: a trap');
    expect(writeTasks(tasks)).toContain('<!-- No acceptance criteria were found.');
  });

  it('Import removes terminal control characters from an issue [X6]', async () => {
    const body = 'a\u001b[2J\n- [ ] it works (check: echo \u001b]0;x\u0007 \u009b1m)';
    const { tasks, notes } = await imported(
      JSON.stringify([{ number: 1, title: 'T\u001b[31m', body }]),
      'github',
    );
    expect(JSON.stringify([tasks, notes])).not.toMatch(/u00(?:1b|07)|\u009B/i);
    expect(tasks[0]?.criteria).toMatchObject([{ check: 'echo ]0;x 1m' }]);
  });

  it.each(['{}', 'nonsense', '[1]', '[{"number":"1","title":"x"}]'])(
    'Import refuses input that is no list of issues: %s [X6]',
    async (text) => {
      await expect(imported(text, 'github')).rejects.toThrow('source does not contain a list of issues.');
    },
  );

  it('Import turns a to-do list into tasks, and leaves out ticked items', async () => {
    const { tasks, notes } = await imported(
      '# To do\n\n- [ ] Log in (check: npm test)\n  - with a password\n- [x] Log out\n- [ ] Search\n',
    );
    expect(tasks).toMatchObject([
      { id: 'task-1', title: 'Log in', text: '- with a password', criteria: [{ check: 'npm test' }] },
      { id: 'task-2', title: 'Search', criteria: [] },
    ]);
    expect(notes).toEqual(['source: 1 of 3 boxes are ticked and were left out.']);
    expect((await again(tasks)).map(({ title }) => title)).toEqual(['Log in', 'Search']);
  });

  it('Import says which items of a to-do list it left out', async () => {
    const { tasks, notes } = await imported('# To do\n- [ ] Log in\n- Search\n* Log out\n\nSome words.\n');
    expect(tasks).toMatchObject([{ title: 'Log in' }]);
    expect(notes).toEqual([
      'source: 2 points have no box and were omitted ("Search", …); write - [ ] before each task.',
    ]);
  });

  it('Import turns headings into tasks', async () => {
    const { tasks } = await imported(
      '# Plan\n\n## Log in\nWith a password.\n\n- [ ] works\n\n## Log out\n\nA button.\n',
    );
    expect(tasks).toMatchObject([
      { id: 'task-1', title: 'Log in', text: 'With a password.', criteria: [{ text: 'works' }] },
      { id: 'task-2', title: 'Log out', text: 'A button.', criteria: [] },
    ]);
  });

  it('Import keeps the meaning of our own files in every format', async () => {
    const table = {
      id: '12',
      title: 'The form',
      priority: 'low',
      scope: ['src/{a,b}/**'],
      description: 'There is a form.\n\n```\n## Task 9: code\n```',
      criteria: [
        'AC-1: it is there (check: test -f form.html) (optional)',
        { text: 'holds', check: { file: 'README.md', contains: 'Usage' } },
        { text: 'good', check: 'human', when: 'acceptance' },
      ],
      entryCriteria: ['node is there (check: node --version)'],
      context: 'The old one.',
      agents: { builder: 'codex:gpt-5', verifier: 'claude' },
      domain: 'frontend',
      mayChange: ['test/**'],
      securityCritical: true,
    };
    const { tasks } = await imported(JSON.stringify(table), 'jsonl');
    expect(tasks[0]?.id).toBe('task-12');
    const read = await again(tasks);
    const [entry, ...exit] = spec(tasks[0] as WrittenTask).criteria;
    expect(spec(read[0] as WrittenTask)).toEqual({
      ...spec(tasks[0] as WrittenTask),
      criteria: [
        entry,
        ...exit.map((one) =>
          typeof one.check === 'object' && one.check !== null
            ? { ...one, check: 'file:README.md=Usage' }
            : one,
        ),
      ],
    });
    const { tasks: twice } = await imported(writeTasks(tasks));
    expect(twice.map(spec)).toEqual(read.map(spec));
  });

  it('Import reports the errors of our own file before it writes anything [X6]', async () => {
    await expect(imported('## Task 1: a\n**Priorty**: low\n- [ ] x\n')).rejects.toThrow(
      'source:2: there is no field "Priorty"',
    );
  });

  it('Import reads back everything that it wrote, whatever an issue contains', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom(
        '## Task 2: x',
        '# T-1: y',
        '**Priority**: high',
        '**Acceptance Criteria**',
        '```',
        '~~~',
        '- [ ] box',
        '- [x] (check:',
        '<!--',
        '-->',
        'Acceptance criteria:',
        '### Entry Criteria',
        '   - deep',
        '**Scop**: a',
        '\t',
        'Depends on: #1 and #2',
      ),
    );
    const criteria = countReached('criteria in the text of the issue', { floor: 0.1 });
    await assertProperty(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 40 }),
          fc.constantFrom('#', 'C #', '- ##', '<!-- a', '`', ': x'),
        ),
        fc.array(line, { maxLength: 12 }),
        async (title, lines) => {
          const all = [{ number: 1, title, body: lines.join('\n'), labels: [] }];
          const { tasks } = await imported(JSON.stringify(all), 'github');
          if (tasks[0]?.criteria.length !== 0) criteria.mark();
          const read = await again(tasks);
          expect(read.map(({ id, title: name }) => ({ id, name }))).toEqual([
            { id: 'GH-1', name: tasks[0]?.title.replaceAll(/\s+/g, ' ').replaceAll('<!--', '<! --').trim() },
          ]);
          const count = (list: readonly WrittenTask[], kind: string): number =>
            list[0]?.criteria.filter((one) => one.kind === kind).length ?? 0;
          expect(count(read, 'entry')).toBe(count(tasks, 'entry'));
          expect(count(read, 'exit')).toBe(Math.max(1, count(tasks, 'exit')));
        },
      ),
      { numRuns: 300, reaches: [criteria] },
    );
  });
});
