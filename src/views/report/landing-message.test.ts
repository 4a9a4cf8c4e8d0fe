import { describe, expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import { createTask } from '#kernel/fold/create-task.ts';
import type { Task } from '#kernel/model/task.ts';
import { landingTitle } from './landing-message.ts';
import { createRun } from '#kernel/fold/create-run.ts';

function landed(config: Partial<RunConfig>, tasks: readonly (readonly [id: string, title: string])[]): Run {
  const run = createRun('r1', { budget: {}, policy: {}, goal: '', ...config } as RunConfig, 0);
  for (const [id, title] of tasks) {
    const task = createTask({ id, title, criteria: [] as Task['criteria'] } as Task, 0);
    run.tasks.set(id, { ...task, commit: `commit-${id}` });
  }
  return run;
}

const queue = { policy: { queue: {} } as RunConfig['policy'], goal: 'the tasks of ../tasks.md' };
const planned = { policy: { planning: {} } as RunConfig['policy'], goal: 'Build a shop' };

describe('The title of a landing', () => {
  it('A run with one goal is landed under the usual commit message', () => {
    expect(landingTitle(landed({ goal: 'add a flag' }, [['main', 'add a flag']]))).toBe('feat: add a flag');
    const commit = { message: '{scope}: {title}' };
    expect(landingTitle(landed({ commit }, [['main', 'Fix it']]))).toBe('Fix it');
  });

  it('The tasks of a file are named by their titles, never by the path of the file', () => {
    const two = [
      ['task-1', 'Alpha'],
      ['task-2', 'Beta'],
    ] as const;
    expect(landingTitle(landed(queue, two))).toBe('feat: Alpha, Beta');
    expect(landingTitle(landed(queue, two.slice(0, 1)))).toBe('feat(task-1): Alpha');
    expect(landingTitle(landed(planned, two))).toBe('feat: Build a shop');
  });

  it('Titles that do not fit are counted', () => {
    const many = Array.from(
      { length: 9 },
      (_, n) => [`task-${n}`, `Write chapter ${n} of the book`] as const,
    );
    expect(landingTitle(landed(queue, many))).toBe(
      'feat: Write chapter 0 of the book, Write chapter 1 of the book and 7 more',
    );
    const long = 'x'.repeat(90);
    expect(
      landingTitle(
        landed(queue, [
          ['a', long],
          ['b', long],
        ]),
      ),
    ).toMatch(/^feat: x+… and 1 more$/);
  });
});
