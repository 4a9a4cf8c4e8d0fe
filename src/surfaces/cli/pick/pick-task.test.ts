import { expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Run } from '#kernel/fold/run.ts';
import { simulatedConfig } from '#test/simulated/simulated-run.ts';
import { pickRetryable, pickTask } from './pick-task.ts';

function ended(...ids: string[]): Run {
  const task = { title: 't', description: '', files: [], hints: [], dependsOn: [], criteria: [] };
  const more = { domain: null, mayChange: [] };
  return replay([
    { at: 0, type: 'run-created', runId: 'r1', version: 1, config: simulatedConfig() },
    ...ids.map((id) => ({ at: 0, type: 'task-added', by: 'start', task: { id, ...task, ...more } }) as const),
    { at: 0, type: 'run-ended', outcome: 'exhausted', reason: 'r' },
  ]);
}

it('A task is found by the number that the screen shows, and by no other number', () => {
  expect(pickTask(ended('main'), 'Task 1').spec.id).toBe('main');
  expect(pickTask(ended('task-3', 'task-1'), '1').spec.id).toBe('task-1');
  expect(() => pickTask(ended('docs', 'login'), '1')).toThrow('has no task "1"');
});

it('Without a name, the only task that can be retried is selected; several are listed [Q5]', () => {
  expect(pickRetryable(ended('main')).spec.id).toBe('main');
  expect(() => pickRetryable(ended('docs', 'login'))).toThrow(
    'The run r1 has 2 tasks that can be retried: docs, login.',
  );
});
