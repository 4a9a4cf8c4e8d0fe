import { expect, it } from 'vitest';
import { criteria as preset } from '#policies/presets/criteria.ts';
import { defaultLoops } from '#policies/looping/loop-settings.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#testing/simulated-run.ts';
import { stateJson } from './state-json.ts';

it('state.json counts the attempts at each criterion where criteria are taken one by one [D3]', () => {
  const ids = ['a', 'b', 'c'];
  const played = playRun({
    tasks: [simulatedTask('main', { criteria: ids.map((id) => commandCriterion(id)) })],
    config: {
      policy: simulatedPolicy({ loops: { ...defaultLoops, maxRetries: 2 } }),
      budget: simulatedBudget({ attemptsPerTask: preset.limits.attemptsMax }),
    },
    policy: preset.policy,
  });
  const attempts = (): number[] => stateJson(played.run).steps.map((step) => step.attempts);
  played.prepare();
  played.endCheck(played.beginOne(), { a: 'fail', b: 'fail', c: 'fail' });
  expect(attempts()).toEqual([0, 0, 0]);
  const expected = [0, 0, 0];
  const red = { a: 'fail', b: 'fail', c: 'fail' } as const;
  for (let index = 1; index <= 4; index += 1) {
    const step = played.beginOne();
    if (step.deed.kind !== 'session') throw new Error(`no session but ${step.stepId}`);
    const at = ids.indexOf(step.deed.criterionId ?? '');
    expected[at] = (expected[at] ?? 0) + 1;
    expect(attempts()).toEqual(expected);
    // A session that is lost is repeated in the same attempt.
    if (index === 2) {
      played.record({ type: 'step-lost', stepId: step.stepId, reason: 'killed', usage: null });
      const again = played.beginOne();
      played.endSession(again, { endTree: 't-again', signal: { kind: 'done' } });
    } else played.endSession(step, { endTree: `t${index}`, signal: { kind: 'done' } });
    // The third comes to pass without a session of its own.
    played.endCheck(played.beginOne(), index < 3 ? red : { ...red, c: 'pass' });
    played.settle();
    expect(attempts()).toEqual(expected);
  }
  expect(expected).toEqual([2, 2, 0]);
});
