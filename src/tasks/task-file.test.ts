import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '#base/operator-error.ts';
import type { TaskFormat } from './task-file.ts';
import { decode, parseTasks, readTaskFile } from './task-file.ts';
import { taskText } from './written-task.ts';

async function read(lines: string | readonly string[], format: TaskFormat = 'markdown') {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  const name = { markdown: 'tasks.md', json: 'tasks.json', jsonl: 'tasks.jsonl' }[format];
  return parseTasks(text, { name, format, fallback: 'tasks' });
}

/** Every problem, as the person reads it. */
async function problems(lines: string | readonly string[], format?: TaskFormat): Promise<string[]> {
  const error: unknown = await read(lines, format).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OperatorError)) throw new Error(`nothing was refused: ${String(error)}`);
  const [first = '', ...others] = error.message.split('\n');
  return others.length === 0 ? [first] : others.map((line) => line.trim());
}

const login = [
  '# The login', // 1
  '',
  'Written by Ada; no agent sees this.',
  '',
  '## Task 1: The form', // 5
  '**Priority**: Low',
  '**Scope**: src/form.ts, `src/{a,b}/**`',
  '**Description**: There is a form.',
  'It has two fields.', // 9
  '',
  '**Acceptance Criteria**:',
  '- [ ] AC-1: it is there (check: test -f form.html)', // 12
  '- [x] it looks good (human)',
  '',
  '**Context**:',
  'The old form is in `legacy/`.', // 16
  '',
  '## Task 2: The check of passwords',
  '- **Priority:** High', // 19
  '- **Depends on:** Task 3',
  '- **Agent:** builder=codex:gpt-5, verifier=claude',
  '- **Domain:** backend',
  '- **May change:** test/**',
  '- **Security critical:** yes',
  '### Entry Criteria',
  '- [ ] node is there (check: node --version)',
  '### Acceptance Criteria',
  '1. it refuses a wrong password',
  '   (check: npm test)',
  '   - also an empty one',
  '',
  '### Task notes',
  'Use bcrypt.',
  '',
  '## Task 3: The table', // 35
  '- [ ] there is a table (check: test -f table.sql)',
];

describe('A task file in markdown [Q1]', () => {
  it('Each task gets everything below its heading, and nothing of another task [Q1] [Q3]', async () => {
    const { tasks, notes } = await read(login);
    const [table, passwords, form] = tasks;
    expect(form).toMatchObject({
      id: 'task-1',
      title: 'The form',
      text: 'There is a form.\nIt has two fields.',
      context: 'The old form is in `legacy/`.',
      scope: ['src/form.ts', 'src/{a,b}/**'],
      criteria: [
        { id: 'AC-1', text: 'it is there', check: 'test -f form.html', from: 'tasks.md:12' },
        { text: 'it looks good', check: 'human', from: 'tasks.md:13' },
      ],
    });
    expect(passwords).toMatchObject({
      id: 'task-2',
      agents: { builder: 'codex:gpt-5', verifier: 'claude' },
      domain: 'backend',
      mayChange: ['test/**'],
      isSecurityCritical: true,
      dependsOn: ['task-3'],
      text: '### Task notes\nUse bcrypt.',
      criteria: [
        { kind: 'entry', check: 'node --version' },
        { kind: 'exit', text: 'it refuses a wrong password; also an empty one', check: 'npm test' },
      ],
    });
    expect(table).toMatchObject({ id: 'task-3', title: 'The table', at: { where: 'tasks.md:35' } });
    for (const task of tasks) expect(taskText(task)).not.toMatch(/Ada|check:/);
    expect(tasks.map(taskText).filter((text) => text.includes('bcrypt'))).toHaveLength(1);
    expect(notes).toEqual([
      'tasks.md has ticked boxes (1); a tick proves nothing, so these are checked too.',
    ]);
  });

  it('Urgent tasks come first, each after its dependencies, otherwise in written order [Q1]', async () => {
    const task = (id: number, ...fields: string[]): string[] => [
      `## Task ${id}: t${id}`,
      ...fields,
      '- [ ] done (check: true)',
    ];
    const { tasks } = await read([
      ...task(1),
      ...task(2, '**Priority**: low'),
      ...task(3, '**Priority**: P1', '**Depends on**: 5'),
      ...task(4, '**Priority**: medium'),
      ...task(5, '**Priority**: low'),
      ...task(6, '**Priority**: Critical', '**Depends on**: none'),
    ]);
    expect(tasks.map(({ id }) => id)).toEqual(['task-6', 'task-5', 'task-3', 'task-1', 'task-4', 'task-2']);
  });

  it('Tasks may have other ids and any level of headings, with group headings between [Q1]', async () => {
    const { tasks } = await read([
      '# EPIC-1: Everything',
      '## Phase one',
      '### T-12: First – with a dash',
      '- [ ] a (check: true)',
      '## Phase two',
      'Words of the phase.',
      '### API-2 Second',
      '**Depends on**: T-12: First',
      '#### UTF-8: a section, no task',
      '- [ ] b (check: true)',
    ]);
    expect(tasks.map(({ id, title, dependsOn }) => [id, title, dependsOn])).toEqual([
      ['T-12', 'First – with a dash', []],
      ['API-2', 'Second', ['T-12']],
    ]);
    expect(tasks.map(taskText).join()).not.toContain('Words of the phase.');
    const one = await read(['# T-1: Alone', '## UTF-8: a section', '- [ ] b (check: true)']);
    expect(one.tasks).toMatchObject([{ id: 'T-1', text: '## UTF-8: a section' }]);
  });

  it('A task file may have BOM, CRLF, tabs, Unicode, fences and comments [Q1]', async () => {
    const text = [
      '\uFEFF# 計画',
      '## Task 1: Größe ändern 🚀',
      '**Description**:',
      '<!-- ## Task 9: not yet',
      '- [ ] never (check: false) -->',
      '```md',
      '## Task 8: inside of a fence',
      '- [ ] nor this (check: false)',
      '```',
      '~~~~',
      '```',
      '## Task 7: nor here',
      '~~~~',
      'See `<!-- this` and that.',
      '**Acceptance Criteria**',
      '* [ ] «Größe» ist da (check: `test -f größe`) <!-- really -->',
      '\t* a detail behind a tab',
    ].join('\r\n');
    const { tasks } = await read(text);
    expect(tasks).toHaveLength(1);
    expect(tasks[0]?.title).toBe('Größe ändern 🚀');
    expect(tasks[0]?.text).toContain('## Task 8: inside of a fence');
    expect(tasks[0]?.text).toContain('See `<!-- this` and that.');
    expect(tasks[0]?.text).not.toContain('Task 9');
    expect(tasks[0]?.criteria).toMatchObject([
      { text: '«Größe» ist da; a detail behind a tab', check: 'test -f größe', from: 'tasks.md:16' },
    ]);
  });

  it('A task file without task headings is one task [Q1] [K1]', async () => {
    const { tasks } = await read(['**Priority**: high', '**Goal:** a form', '', '- [ ] there (check: true)']);
    expect(tasks).toMatchObject([{ id: 'main', title: 'tasks', rank: 1, text: '**Goal:** a form' }]);
  });
});

const good = '- [ ] x (check: true)';

describe('Errors of a task file with their lines [Q1] [X6]', () => {
  it.each([
    [
      'a mistyped field',
      ['## Task 1: a', '**Priorty**: high', good],
      'tasks.md:2: there is no field "Priorty"; did you mean "Priority"?',
    ],
    [
      'a mistyped list',
      ['## Task 1: a', '### Acceptence Criteria', good],
      'tasks.md:2: there is no field "Acceptence Criteria"; did you mean "Acceptance Criteria"?',
    ],
    [
      'a mistyped field in prose',
      ['## Task 1: a', 'Text.', '**Dependson:** 2', good],
      'tasks.md:3: there is no field "Dependson"; did you mean "Depends on"?',
    ],
    [
      'a strange field',
      ['## Task 1: a', '**Estimate**: 3h', good],
      /^tasks\.md:2: there is no field "Estimate"; the fields are Priority, Scope/,
    ],
    [
      'a strange priority',
      ['## Task 1: a', '**Priority**: hihg', good],
      'tasks.md:2: Priority is "hihg"; did you mean "high"?',
    ],
    [
      'an empty field',
      ['## Task 1: a', '**Scope**:', '**Priority**: low', good],
      'tasks.md:2: Scope is empty.',
    ],
    [
      'a field twice',
      ['## Task 1: a', '**Priority**: low', '**Priority**: high', good],
      'tasks.md:3: Priority appears twice, first in line 2.',
    ],
    [
      'a path outside',
      ['## Task 1: a', '**Scope**: ../other/**', good],
      /^tasks\.md:2: Scope has "\.\.\/other\/\*\*", which is not inside/,
    ],
    [
      'no truth',
      ['## Task 1: a', '**Security critical**: perhaps', good],
      'tasks.md:2: Security critical is "perhaps"; write yes or no.',
    ],
    [
      'no criteria',
      ['## Task 1: a', 'Do it.', '## Task 2: b', good],
      /^tasks\.md:1: task task-1 has no acceptance criteria/,
    ],
    [
      'criteria without a list',
      ['## Task 1: a', '**Acceptance Criteria**', 'It works.'],
      /^tasks\.md:2: task task-1 has no acceptance criteria/,
    ],
    [
      'entry criteria only',
      ['## Task 1: a', '**Entry Criteria**', good],
      /^tasks\.md:1: task task-1 has no acceptance criteria/,
    ],
    ['a criterion without words', ['## Task 1: a', '- [ ]', good], 'tasks.md:2: a criterion has no text.'],
    [
      'a check that is not closed',
      ['## Task 1: a', '- [ ] x (check: npm test'],
      /^tasks\.md:2: the check is not closed/,
    ],
    [
      'a check and a person',
      ['## Task 1: a', '- [ ] x (check: true) (human)'],
      /^tasks\.md:2: a criterion is decided by its check or by a person/,
    ],
    [
      'a criterion id twice',
      ['## Task 1: a', '- [ ] AC-1: x (check: true)', '- [ ] AC-1: y (check: true)'],
      'tasks.md:3: the id AC-1 is already used in line 2.',
    ],
    [
      'an id twice',
      ['## Task 1: a', good, '## Task 1: b', good],
      'tasks.md:3: the id task-1 is already used by line 1.',
    ],
    [
      'an id twice but for its case',
      ['## T-1: a', good, '## Task t-1: b', good],
      /the id t-1 is already used/,
    ],
    [
      'an id that no ref can hold',
      ['## Task 1..2: a', good],
      /^tasks\.md:1: the id "task-1\.\.2" cannot be used/,
    ],
    [
      'no id',
      ['## Task: a', good, '## Task 2: b', good],
      'tasks.md:1: a task needs a number or an id; write "Task 1: a".',
    ],
    ['no title', ['## Task 1', good], 'tasks.md:1: task task-1 has no title.'],
    [
      'an unknown dependency',
      ['## T-1: a', '**Depends on**: T-2', good],
      'tasks.md:2: task T-1 depends on "T-2", which is not in the file; the tasks are T-1.',
    ],
    [
      'itself',
      ['## T-1: a', '**Depends on**: T-1', good],
      'tasks.md:2: these tasks wait for each other: T-1 → T-1.',
    ],
    [
      'a heading that is no task',
      ['## Task 1: a', good, '## Clean up', good],
      /^tasks\.md:3: "Clean up" is not a task; write "## Task 2: Clean up"/,
    ],
    [
      'a task on another level',
      ['## Task 1: a', good, '### Task 2: b', good],
      /^tasks\.md:3: "Task 2: b" has another level/,
    ],
    [
      'a box of no task',
      ['# All', good, '## Task 1: a', good, '## Task 2: b', good],
      'tasks.md:2: this checkbox belongs to no task.',
    ],
    [
      'a fence for ever',
      ['## Task 1: a', good, '```', '## Task 2: b', good],
      /^tasks\.md:3: this code fence is never closed/,
    ],
    [
      'a comment for ever',
      ['## Task 1: a', good, '<!-- later', '## Task 2: b', good],
      /^tasks\.md:3: this comment is never closed/,
    ],
    [
      'two lists without two tasks',
      ['# a', '## b', '**Acceptance Criteria**', good, '## c', '**Acceptance Criteria**', good],
      /^tasks\.md:6: Acceptance Criteria appears twice, first in line 3; several tasks/,
    ],
    [
      'a mistyped dependency',
      ['## LOGIN-1: a', good, '## B-1: b', '**Depends on**: LOGN-1', good],
      'tasks.md:4: task B-1 depends on "LOGN-1", which is not in the file; did you mean "LOGIN-1"?',
    ],
    ['nothing', ['', '  ', ''], 'tasks.md is empty.'],
  ])('An error of a task file is reported with its line: %s', async (_, lines, message) => {
    const found = await problems(lines);
    const fits = (one: string): boolean =>
      typeof message === 'string' ? one === message : message.test(one);
    expect(found.filter(fits)).toHaveLength(1);
  });

  it('All errors of a task file are reported at once, in the order of the lines, up to a readable number', async () => {
    const found = await problems([
      '## Task 1: a',
      '**Prio**: high',
      '## Task 2: b',
      '**Depends on**: 9',
      good,
      '## Task 2: c',
      good,
    ]);
    expect(found.map((one) => /^tasks\.md:(\d+)/.exec(one)?.[1])).toEqual(['1', '2', '4', '6']);
    const many = Array.from({ length: 100 }, (_, index) => `## Task ${index}: t`);
    expect(await problems(many)).toHaveLength(21);
    expect((await problems(many)).at(-1)).toBe('… and 80 more');
  });

  it('Each dependency cycle of a task file is reported once, with its path', async () => {
    const task = (id: string, on: string): string[] => [`## ${id}: t`, `**Depends on**: ${on}`, good];
    expect(
      await problems([
        ...task('A-1', 'B-1'),
        ...task('B-1', 'C-1'),
        ...task('C-1', 'B-1'),
        ...task('D-1', 'A-1'),
      ]),
    ).toEqual(['tasks.md:5: these tasks wait for each other: B-1 → C-1 → B-1.']);
    const long = Array.from({ length: 1000 }, (_, at) => task(`X-${at}`, `X-${(at + 1) % 1000}`)).flat();
    expect((await problems(long))[0]).toMatch(/^tasks\.md:2: these tasks wait for each other: X-0 → X-1/);
  });
});

describe('Tasks in JSON and JSONL [Q1]', () => {
  const table = {
    id: 'T-1',
    title: 'The form',
    priority: 'high',
    scope: ['src/**'],
    description: 'There is a form.',
    acceptanceCriteria: ['AC-1: it is there (check: test -f form.html)', { text: 'good', check: 'human' }],
    entryCriteria: ['node is there (check: node --version)'],
    context: 'The old one.',
    dependsOn: 'T-2',
    agent: 'codex',
    domain: 'frontend',
    mayChange: 'test/**',
    securityCritical: true,
  };
  const other = { id: 'T-2', title: 'Other', criteria: ['works (check: true)'] };

  it('JSON tasks mean the same as markdown ones: a list, an object with tasks, or one per line', async () => {
    const texts: readonly (readonly [TaskFormat, string])[] = [
      ['json', JSON.stringify([table, other])],
      ['json', JSON.stringify({ tasks: [table, other] }, null, 2)],
      ['jsonl', `\uFEFF${JSON.stringify(table)}\r\n\r\n${JSON.stringify(other)}\n`],
    ];
    for (const [format, text] of texts) {
      const { tasks } = await read(text, format);
      expect(tasks).toMatchObject([
        { id: 'T-2' },
        {
          id: 'T-1',
          rank: 1,
          scope: ['src/**'],
          text: 'There is a form.',
          context: 'The old one.',
          dependsOn: ['T-2'],
          agents: { builder: 'codex' },
          domain: 'frontend',
          mayChange: ['test/**'],
          isSecurityCritical: true,
          criteria: [
            { kind: 'entry', check: 'node --version' },
            { id: 'AC-1', text: 'it is there', check: 'test -f form.html' },
            { text: 'good', check: 'human' },
          ],
        },
      ]);
    }
  });

  it('Every error in JSON tasks is reported with its line [X6]', async () => {
    const text =
      '[\n { "title": "a", "criterias": ["x"], "prio": 1 },\n { "title": "b", "criteria": ["y (check: )"],\n   "dependsOn": ["c"] }\n]';
    expect(await problems(text, 'json')).toEqual([
      'tasks.json:2:18: unknown key "criterias" of entry 1; did you mean "criteria"?',
      'tasks.json:2:38: unknown key "prio" of entry 1.',
    ]);
    expect(
      await problems(
        text.replace('"criterias"', '"criteria"').replace(', "prio": 1', ', "priority": "hi"'),
        'json',
      ),
    ).toEqual([
      expect.stringMatching(/^tasks\.json:2:37: Priority is "hi"/),
      'tasks.json:3:31: the check is empty.',
      expect.stringMatching(/^tasks\.json:3:2: task task-2 has no acceptance criteria/),
      expect.stringMatching(/^tasks\.json:4:4: task task-2 depends on "c", which is not in the file/),
    ]);
    const inside =
      '[{"title": "a",\n"criteria": [{"text": "x",\n"chek": "y",\n"requird": false, "when": "late"}]}]';
    const told = (await problems(inside, 'json')).map((line) => line.replace(/:\d+: /, ' ')).toSorted();
    expect(told).toEqual([
      expect.stringMatching(/^tasks\.json:3 unknown key .*chek.*; did you mean "check"\?$/),
      expect.stringMatching(/^tasks\.json:4 "criteria.*when/),
      expect.stringMatching(/^tasks\.json:4 unknown key .*requird.*; did you mean "required"\?$/),
    ]);
    expect(await problems('{"title":"a","criteria":["x"]}\n{"title":\n', 'jsonl')).toEqual([
      expect.stringMatching(/^tasks\.jsonl:2:\d+: is not valid JSON/),
    ]);
    expect(await problems('[]', 'json')).toEqual(['tasks.json has no tasks.']);
    expect(await problems('null', 'json')).toEqual([expect.stringMatching(/^tasks\.json:1:1: a task /)]);
  });
});

describe('A file that is no task file [X6]', () => {
  it('A folder, binary data and another encoding are refused with one sentence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'untildone-tasks-'));
    try {
      await expect(readTaskFile(folder, '.')).rejects.toThrow('cannot be read (EISDIR)');
      await writeFile(join(folder, 'wide.md'), Buffer.from('\uFEFF## Task 1: a', 'utf16le'));
      await expect(readTaskFile(folder, 'wide.md')).rejects.toThrow('wide.md is not text in UTF-8.');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect(() => decode(new Uint8Array([0xff, 0xfe, 0x00]), 'x')).toThrow('x is not text in UTF-8.');
  });
});

describe('The guide', () => {
  it('The task files of the guide are read as the guide says [Q1]', async () => {
    const text = await readFile(new URL('../../docs/guide/task-files.md', import.meta.url), 'utf8');
    const sample = (kind: string): string =>
      new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
    const { tasks } = await read(sample('md'));
    expect(tasks).toMatchObject([
      { id: 'task-1', rank: 1, scope: ['desk/hello.txt'], context: 'People come in by the left door.' },
      { id: 'task-2', dependsOn: ['task-1'] },
    ]);
    expect((await read(sample('json'), 'json')).tasks).toMatchObject([{ id: 'T-1' }, { dependsOn: ['T-1'] }]);
  });
});
