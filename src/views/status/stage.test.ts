import { expect, it } from 'vitest';
import {
  commandCriterion,
  personCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { stageOf, stateOf } from './stage.ts';
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

it('A cooldown follows an attempt only if another attempt follows [Q9]', () => {
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

function limitedFor(hours: number) {
  const played = playRun({ tasks: [simulatedTask('main')] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  const resetAt = played.run.now + hours * 3_600_000;
  const ending = { kind: 'failed', errorClass: 'usage-limit', detail: 'Limit reached.', resetAt } as const;
  played.endSession(played.beginOne(), { ending, signal: null, endTree: null });
  played.settle();
  return played;
}

it('A run that waits for a usage limit says until when, why, and how to retry now [U5] [D3]', () => {
  const { run } = limitedFor(3);
  expect(stageOf(run)).toMatch(
    /^waiting for a usage limit until 1970-01-01T03:00:0\d\.\d{3}Z \(Limit reached\); try again now: untildone resume run$/,
  );
});

it('A run that is parked on a distant usage limit is parked and not interrupted, and says the same [U5] [D3]', () => {
  const played = limitedFor(48);
  const { run } = played;
  expect(stageOf(run)).toBe(
    'waiting for a usage limit until 1970-01-03T00:00:01.000Z, longer than a run waits (usageLimit.maxWait) (Limit reached); try again now: untildone resume run',
  );
  expect(stateOf(run, null)).toBe('parked');
  played.record({ type: 'driver-left', reason: 'a usage limit' });
  expect(stateOf(run, null)).toBe('parked');
  expect(stateJson(run, { holder: null }).runStatus).toBe('parked');
});

it('A run whose driver left during a usage limit is parked and names the wait; one whose driver died is interrupted [U5] [D3]', () => {
  const played = limitedFor(3);
  const { run } = played;
  const waits = /^a usage limit until 1970-01-01T03:00:0\d\.\d{3}Z \(Limit reached\)$/;
  expect(stateOf(run, 'here')).toBe('running');
  expect(stateJson(run).runStatus).toBe('running');
  expect(stateJson(run).waitingFor).toMatch(waits);
  expect(stateJson(run, { holder: null })).toMatchObject({ runStatus: 'interrupted' });
  played.record({ type: 'driver-left', reason: 'a usage limit' });
  expect(stateOf(run, null)).toBe('parked');
  expect(stateJson(run).runStatus).toBe('parked');
  expect(stateJson(run).waitingFor).toMatch(waits);
  expect(stateJson(run, { holder: null })).toMatchObject({ runStatus: 'parked' });
});
