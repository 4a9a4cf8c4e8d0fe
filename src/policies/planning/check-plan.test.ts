import { describe, expect, it } from 'vitest';
import { architectLimits, problemsOfPlan } from './check-plan.ts';
import { readPlan } from './written-plan.ts';

const task = (id: string, known: object = {}) => ({
  id,
  title: `Task ${id}`,
  exitCriteria: [{ text: 'it works', check: 'true' }],
  ...known,
});

function problems(
  tasks: readonly unknown[],
  known: { done?: string[]; open?: string[]; dropped?: unknown } = {},
) {
  const reading = readPlan(JSON.stringify({ tasks, dropped: known.dropped ?? [] }));
  if (reading.plan === null) return [...reading.problems];
  return problemsOfPlan(reading.plan, {
    hasFile: (path) => path === 'src/a.ts',
    done: known.done ?? [],
    open: known.open ?? [],
    limits: architectLimits,
  });
}

describe('a plan', () => {
  it.each([
    ['is no JSON at all', 'I would begin with the tests.', 'there is no JSON in it'],
    ['is cut off', '{"tasks": [{"id": "T1", "title', 'there is no JSON in it'],
    ['is broken', '{"tasks": [{"id": "T1",}]}', 'its JSON cannot be read'],
    ['has no tasks', '{"steps": []}', 'the plan has no list "tasks"'],
    ['has a task that is no object', '{"tasks": ["T1"]}', 'task 1: it is not an object'],
    [
      'was too long to be kept',
      '{"tasks": [{"id": "T1"\n[… 70000 characters left out …]\n}]}',
      'it is too long: 70000 characters',
    ],
    [
      'has an unknown field',
      '{"tasks": [{"id": "T1", "title": "x", "depends": []}]}',
      'unknown field "depends"',
    ],
    [
      'has a list that is none',
      '{"tasks": [{"id": "T1", "title": "x", "files": "src"}]}',
      '"files" is no list',
    ],
    [
      'has a criterion of no kind',
      '{"tasks": [{"id": "T1", "title": "x", "exitCriteria": [7]}]}',
      'neither a sentence',
    ],
  ])('A plan that %s is sent back with the reason [C1]', (_, text, reason) => {
    expect(readPlan(text).problems.join('\n')).toContain(reason);
  });

  it('A plan has ids that git can keep, titles that fit on a line, and no files of git or of ours [C1]', () => {
    expect(
      problems(['a..b', 'T1.', 'T1.lock', 'T.x'].map((id) => task(id))).map((one) => one.slice(0, 7)),
    ).toEqual(['a..b: a', 'T1.: an', 'T1.lock']);
    const wordy = task('T1', { title: 'x'.repeat(300), hints: Array<string>(80).fill('look') });
    expect(problems([wordy]).join()).toMatch(/title is longer than 200[^]*more than 50 hints/);
    const described = readPlan(JSON.stringify([{ id: 'T1', description: `First.\n${'y'.repeat(900)}` }]));
    expect(described.plan?.tasks[0]?.title).toBe('First.');
    const sly = task('T1', {
      creates: ['.git/hooks/pre-commit', '.untildone/config.jsonc', '.github/a.yml'],
    });
    expect(problems([sly])).toEqual([
      'T1: ".git/hooks/pre-commit" is no part of the work',
      'T1: ".untildone/config.jsonc" is no part of the work',
    ]);
  });

  it('A plan is read from a code fence, after a sentence, and as a bare list [C1]', () => {
    const json = JSON.stringify({ tasks: [task('T1')] });
    expect(readPlan(`Here it is:\n\`\`\`json\n${json}\n\`\`\`\nGood luck.`).plan?.tasks[0]?.id).toBe('T1');
    expect(readPlan(JSON.stringify([task('T1')])).plan?.tasks[0]?.title).toBe('Task T1');
  });

  it('A sound plan has no problem [C1]', () => {
    const tasks = [
      task('T1', { files: ['src/a.ts'], creates: ['src/b.ts'] }),
      task('T2', { files: ['src/b.ts', 'src/**/*.ts', 'docs/'], dependsOn: ['T1'] }),
    ];
    expect(problems(tasks)).toEqual([]);
  });

  it.each([
    ['two tasks have one id', [task('T1'), task('T1')], 'T1: two tasks have this id'],
    ['an id cannot be typed', [task('T 1')], 'an id begins with a letter'],
    ['an id is ours', [task('goal')], 'goal: this id is reserved'],
    [
      'a dependency is unknown',
      [task('T1', { dependsOn: ['T9'] })],
      'T1: it depends on "T9", and there is no such',
    ],
    ['a task depends on itself', [task('T1', { dependsOn: ['T1'] })], 'T1: it depends on itself'],
    ['nothing says when it is done', [task('T1', { exitCriteria: [] })], 'T1: it has no exit criterion'],
    [
      'a file does not exist',
      [task('T1', { files: ['src/z.ts'] })],
      'T1: the file "src/z.ts" does not exist',
    ],
    ['a file is outside', [task('T1', { files: ['../x'] })], 'T1: "../x" is no path inside'],
    ['a file is at the root of the machine', [task('T1', { creates: ['/etc/passwd'] })], 'is no path inside'],
    [
      'a file is made by a task that need not come first',
      [task('T1', { creates: ['n.ts'] }), task('T2', { files: ['n.ts'] })],
      'T2: "n.ts" is made by another task; depend on that task',
    ],
    ['a task is too large', [task('T1', { description: 'x'.repeat(6001) })], 'split it'],
    ['there is none', [], 'the plan has no task'],
  ])('A plan is refused when %s [C1]', (_, tasks, reason) => {
    expect(problems(tasks).join('\n')).toContain(reason);
  });

  it('Each dependency cycle of a plan is named with its path, and a long chain is no problem [C1]', () => {
    const circle = [
      task('A', { dependsOn: ['C'] }),
      task('B', { dependsOn: ['A'] }),
      task('C', { dependsOn: ['B'] }),
    ];
    expect(problems(circle)).toEqual(['the tasks depend on each other in a circle: A → C → B → A']);
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      task(`T${index}`, { dependsOn: index === 19_999 ? [] : [`T${index + 1}`] }),
    );
    const { plan } = readPlan(JSON.stringify(chain));
    if (plan === null) throw new Error('it can be read');
    const limits = { ...architectLimits, tasks: 30_000 };
    expect(problemsOfPlan(plan, { hasFile: () => true, done: [], open: [], limits })).toEqual([]);
  });

  it('A new plan leaves finished tasks unchanged, and drops only open ones [C6]', () => {
    expect(problems([task('T1')], { done: ['T1'] })).toEqual([
      'T1: this task is done and cannot be changed; leave it out',
    ]);
    expect(problems([task('T2', { dependsOn: ['T1'] })], { done: ['T1'] })).toEqual([]);
    const dropped = [{ id: 'T1', why: '' }, { id: 'T2' }, { id: 'T3' }, { id: 'T4', why: 'too dear' }];
    expect(problems([task('T2')], { done: ['T1'], open: ['T2', 'T4'], dropped })).toEqual([
      'T1: this task is done and cannot be dropped',
      'T2: it is among the tasks and among those that are dropped',
      'T3: there is no such task to drop',
    ]);
  });
});
