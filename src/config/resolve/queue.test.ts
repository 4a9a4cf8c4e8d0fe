import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunFlags } from '#config/setting-table.ts';
import { resolveRun } from './resolve-run.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untildone-queue-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

function resolveIn(goal: string | undefined, flags: RunFlags = {}, cwd = root) {
  return resolveRun(
    {
      cwd,
      root,
      prefix: '',
      repoId: 'r1',
      env: { HOME: root, PATH: '' },
      ownEnv: { HOME: root, PATH: '' },
      head: { commit: 'c0', branch: 'main' },
    },
    {
      goal,
      flags: { preset: 'queue', agent: ['builder=command:./one', 'verifier=command:./two'], ...flags },
      sanityCheck: false,
    },
  );
}

const task = (number: number, ...fields: string[]): string =>
  [`## Task ${number}: t${number}`, ...fields, `Text of ${number}.`, '- [ ] done (check: true)', ''].join(
    '\n',
  );

describe('A queue', () => {
  it('A queue reads the named file, else .untildone/tasks.md, else TASKS.md [Q1]', async () => {
    await expect(resolveIn(undefined)).rejects.toMatchObject({
      code: 'no-task-file',
      message: expect.stringContaining('no .untildone/tasks.md and no TASKS.md') as string,
    });
    await expect(resolveIn('gone.md')).rejects.toMatchObject({
      hint: 'Give the path of a markdown, JSON or JSONL file: untildone queue tasks/login.md',
    });
    await write('TASKS.md', task(3));
    expect((await resolveIn(undefined)).tasks.map(({ id }) => id)).toEqual(['task-3']);
    await write('.untildone/tasks.md', task(2));
    await mkdir(join(root, 'below'));
    const below = await resolveIn(undefined, {}, join(root, 'below'));
    expect(below.tasks.map(({ id }) => id)).toEqual(['task-2']);
    await write('mine.json', '[{ "title": "x", "criteria": ["y (check: true)"] }]');
    expect((await resolveIn('mine.json')).tasks.map(({ title }) => title)).toEqual(['x']);
    expect((await resolveIn(undefined, { taskFile: 'mine.json' })).tasks).toHaveLength(1);
    await expect(resolveIn('mine.json', { taskFile: 'TASKS.md' })).rejects.toThrow(
      'Two task files are named.',
    );
  });

  it('A queue gives each task its own text and checks, the common checks and the verifier [Q1] [Q3]', async () => {
    await write(
      'TASKS.md',
      task(1, '**Scope**: src/**', '**Context**: old', '**Domain**: api', '**May change**: test/**') +
        task(2, '**Depends on**: Task 1', '**Security critical**: yes'),
    );
    const { tasks, config } = await resolveIn(undefined, { check: ['npm test'], mayChange: ['docs/**'] });
    expect(tasks).toMatchObject([
      {
        id: 'task-1',
        title: 't1',
        description: '# t1\n\nText of 1.\n\n### Scope\n\n- `src/**`\n\n### Context\n\nold',
        files: ['src/**'],
        domain: 'api',
        dependsOn: [],
        mayChange: ['docs/**', 'test/**'],
      },
      { id: 'task-2', dependsOn: ['task-1'], securityCritical: true, mayChange: ['docs/**'] },
    ]);
    for (const { criteria } of tasks)
      expect(criteria.map(({ id }) => id)).toEqual(['AC-1', 'npm-test', 'verifier']);
    expect(config.policy.queue).toEqual({ onFailure: 'continue', crashRetries: 2 });
    expect(config.budget.attemptsPerTask).toBe(5);
  });

  it('A queue is the same run while its file is the same; another list is another input [X7]', async () => {
    await write('TASKS.md', task(1));
    const { config } = await resolveIn(undefined);
    expect(await resolveIn(undefined)).toMatchObject({ config: { key: config.key, inputs: config.inputs } });
    await write('TASKS.md', task(1) + task(2));
    const later = await resolveIn(undefined);
    expect(later.config.key).toBe(config.key);
    expect(later.config.inputs).not.toBe(config.inputs);
  });

  it('A queue gives a task the agents of its file; only a flag that names the task overrides them [Q1] [C8]', async () => {
    const agents = {
      one: { driver: 'command', command: './one' },
      two: { driver: 'command', command: './two' },
    };
    await write('.untildone/config.jsonc', JSON.stringify({ agents }));
    await write('TASKS.md', task(1, '**Agent**: two') + task(2));
    const buildersOf = async (...agent: string[]) =>
      (await resolveIn(undefined, { agent })).tasks.map((one) => one.agents?.['builder']?.name);
    expect(await buildersOf('one')).toEqual(['two', undefined]);
    expect(await buildersOf('one', 'task-1/builder=one', 'task-2/builder=two')).toEqual(['one', 'two']);
    await write('TASKS.md', task(1, '**Agent**: bilder=two'));
    await expect(resolveIn(undefined, { agent: ['one'] })).rejects.toMatchObject({
      message: 'TASKS.md:2: there is no role "bilder".',
      hint: 'Did you mean "builder"?',
    });
    await write('TASKS.md', task(1, '**Agent**: tow'));
    await expect(resolveIn(undefined, { agent: ['one'] })).rejects.toMatchObject({
      message: 'TASKS.md:2: there is no agent "tow".',
    });
  });

  it('A queue says what its budget cannot reach, and has its own settings [Q6]', async () => {
    await write('.untildone/config.jsonc', '{ "queue": { "onFailure": "stop", "crashRetries": 0 } }');
    await write('TASKS.md', [1, 2, 3].map((number) => task(number)).join(''));
    expect((await resolveIn(undefined)).config.budget.sessions).toBe(40);
    const { config, notes } = await resolveIn(undefined, { budget: ['sessions=4'] });
    expect(config.budget.sessions).toBe(4);
    expect(config.policy.queue).toEqual({ onFailure: 'stop', crashRetries: 0 });
    expect(notes).toContainEqual(
      expect.stringContaining('3 tasks need 6 sessions at least, and the budget is 4'),
    );
    await write('TASKS.md', Array.from({ length: 30 }, (_, n) => task(n + 1)).join(''));
    const long = await resolveIn(undefined);
    expect(long.config.budget).toMatchObject({ sessions: 120, usd: 20 });
    expect(long.notes.join()).not.toContain('sessions at least');
    await write('.untildone/config.jsonc', '{ "queue": { "onFailure": "stopp" } }');
    await expect(resolveIn(undefined)).rejects.toThrow('config.jsonc:1:27');
  });
});
