import { expect, it } from 'vitest';
import {
  commandCriterion,
  personCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#testing/simulated-run.ts';
import { stageOf } from './stage.ts';
import { stateJson } from './state-json.ts';

const criteria = [commandCriterion('works'), personCriterion];

function failedOnce(stuckMax: number, attemptsPerTask: number) {
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config: {
      policy: simulatedPolicy({ stuckMax, cooldownMs: 2000 }),
      budget: simulatedBudget({ attemptsPerTask }),
    },
  });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), { works: 'fail' });
  const trace = { kind: 'syntax', signature: 's', tree: 'work', passing: [], hand: 'same-agent' } as const;
  played.record({ type: 'attempt-failed', taskId: 'main', attempt: 1, reason: 'works: exit 1', trace });
  return played;
}

it('Only an attempt that another one follows is followed by a cooldown [Q9]', () => {
  expect(stageOf(failedOnce(0, 5).run)).toBe('cooling down');
  expect(stageOf(failedOnce(0, 1).run)).toBe('no attempt is left');
  expect(stageOf(failedOnce(1, 5).run)).toMatch(/^stuck: /);
});

it('A criterion that was never tried is pending in the steps and in the criteria of a failed task [D3]', () => {
  const played = failedOnce(1, 5);
  played.record({ type: 'task-failed', taskId: 'main', outcome: 'failed', reason: 'stuck' });
  const { steps, criteria: listed } = stateJson(played.run);
  expect(steps.map(({ id, status }) => [id, status])).toEqual([
    ['works', 'failed'],
    ['person', 'pending'],
  ]);
  expect(listed.map(({ id, state }) => [id, state])).toEqual([
    ['works', 'fail'],
    ['person', 'pending'],
  ]);
});
