import { expect, it } from 'vitest';
import { criteria as preset } from '#policies/presets/criteria.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { stateJson } from './state-json.ts';

it('The file state.json counts the attempts per criterion when criteria are worked on one by one [D3]', () => {
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

it('The file state.json counts the failures of a check and the attempts in which it really ran, in every preset [D3]', () => {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('a')] })] });
  played.prepare();
  played.endCheck(played.beginOne(), { a: 'fail' });
  const counted = (): unknown => {
    const { criteria, steps } = stateJson(played.run);
    return [criteria[0]?.failures, steps[0]?.attempts];
  };
  // How it was before the work is no failure of the work.
  expect(counted()).toEqual([0, 0]);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    played.endSession(played.beginOne(), { endTree: `t${attempt}`, signal: { kind: 'done' } });
    played.endCheck(played.beginOne(), { a: 'fail' });
    played.settle();
    expect(counted()).toEqual([attempt, attempt]);
  }
  const seen = played.run.tasks.get('main')?.evidence.get('a')?.attempt;
  if (seen === undefined) throw new Error('no evidence');
  // The same look recorded again, and one that only repeats what was seen, are no tries.
  played.record({ type: 'evidence-recorded', evidence: seen });
  played.record({
    type: 'evidence-recorded',
    evidence: { ...seen, stepId: '0099-check-main', reusedFrom: seen.stepId },
  });
  expect(counted()).toEqual([3, 3]);
  const after = { ...seen, stepId: '0100-check', purpose: 'acceptance', place: 'clean' } as const;
  played.record({ type: 'evidence-recorded', evidence: after });
  expect(counted()).toEqual([4, 3]);
});
