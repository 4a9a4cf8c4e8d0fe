import { expect, it } from 'vitest';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Step } from '#kernel/model/step.ts';

/** The first work fails at the acceptance, and the second attempt reverts every file. */
function putBack(criterion: Criterion): PlayedRun {
  const slow = commandCriterion('slow', { when: 'acceptance' });
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [criterion, slow] })] });
  played.prepare();
  const trees = ['work', 'base'];
  for (let rounds = 0; rounds < 20 && played.run.outcome === null; rounds += 1) {
    const steps = played.begin();
    const tree = played.run.tasks.get('main')?.workTree;
    if (steps.length === 0 && tree !== null && tree !== undefined)
      played.ask({ kind: 'approve', taskId: 'main', criterionId: criterion.id, tree });
    for (const step of steps) answer(played, step, trees);
  }
  return played;
}

function answer(played: PlayedRun, step: Step, trees: string[]): void {
  const { deed, baseTree } = step;
  if (deed.kind === 'commit') played.endCommit(step, `c-${step.stepId}`);
  else if (deed.kind === 'check') played.endCheck(step, { slow: baseTree === 'work' ? 'fail' : 'pass' });
  else
    played.endSession(step, {
      endTree: step.deed.kind === 'session' && step.deed.readOnly ? baseTree : (trees.shift() ?? null),
    });
}

it("An unchanged tree does not complete on a reviewer's verdict [X7]", () => {
  const { run } = putBack(reviewerCriterion);
  expect(run.tip?.tree).toBe(run.base?.tree);
  expect(run.tasks.get('main')?.evidence.get('verifier')?.attempt).toMatchObject({
    verdict: 'pass',
    tree: 'base',
  });
  expect(run.outcome).toMatchObject({ outcome: 'unverified' });
});

it("An unchanged tree completes on a person's verdict [X7]", () => {
  const { run } = putBack(personCriterion);
  expect(run.tip?.tree).toBe(run.base?.tree);
  expect(run.outcome).toMatchObject({ outcome: 'completed' });
});
