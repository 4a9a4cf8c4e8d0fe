import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import { present } from '#base/assert.ts';
import type { Run } from '#kernel/fold/run.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { isSubstantiated, proofOfRun, proofOfTask } from './proof-kind.ts';
import type { ProofKind } from '#kernel/model/outcome.ts';

const added = {
  kind: 'added-tests',
  verdict: 'passed',
  reason: '',
  runs: 1,
  durationMs: 1,
  logs: [],
} as const;
const said = (criterionId: string): Partial<Evidence> => ({ criterionId, verdict: 'pass', stepId: 'person' });

/** The kinds of proof, each sufficient alone; the strongest first. */
const makers: { readonly [kind in ProofKind]: [Criterion[], Partial<Evidence>[]] } = {
  checks: [[commandCriterion('red')], flip('red')],
  'held-out': [[commandCriterion('secret', { check: { kind: 'held-out', hash: 'h' } })], flip('secret')],
  'added-tests': [
    [commandCriterion('green'), reviewerCriterion],
    [
      { criterionId: 'green', purpose: 'base', verdict: 'pass' },
      { criterionId: 'green', purpose: 'acceptance', verdict: 'pass', calibration: [added] },
      { criterionId: 'verifier', verdict: 'pass' },
    ],
  ],
  person: [[personCriterion], [said('person')]],
  review: [[reviewerCriterion], [{ criterionId: 'verifier', verdict: 'pass' }]],
};
const strongestFirst = Object.keys(makers) as ProofKind[];

function flip(criterionId: string): Partial<Evidence>[] {
  return [
    { criterionId, purpose: 'base', verdict: 'fail' },
    { criterionId, purpose: 'acceptance', verdict: 'pass' },
  ];
}

interface LandedTask {
  readonly kinds: readonly ProofKind[];
}

function landed(tasks: readonly LandedTask[], acceptReview: boolean): Run {
  const specs = tasks.map(({ kinds }, index) => {
    const all = kinds.flatMap((kind) => makers[kind][0]);
    const criteria = all.filter((one, at) => all.findIndex(({ id }) => id === one.id) === at);
    return simulatedTask(`t${index}`, { criteria });
  });
  const played = playRun({ tasks: specs, config: { acceptReview } });
  const { run } = played;
  for (const [index, { kinds }] of tasks.entries()) {
    const task = present(run.tasks.get(`t${index}`), 'the task is there');
    Object.assign(task, {
      status: { is: 'landed' },
      attempt: 1,
      start: { tree: 'base', checked: { attempt: true, acceptance: true } },
      workTree: 'work',
    });
    for (const kind of kinds)
      for (const seen of makers[kind][1])
        played.record({
          type: 'evidence-recorded',
          evidence: simulatedEvidence({ ...seen, taskId: `t${index}` }),
        });
  }
  run.base = { commit: 'c0', tree: 'base', branch: 'b', pins: [] };
  run.tip = { commit: 'c1', tree: 'work' };
  return run;
}

const anyTask: fc.Arbitrary<LandedTask> = fc.record({
  kinds: fc.subarray(strongestFirst, { minLength: 0, maxLength: 3 }),
});

it('The proof of a task is its strongest, and of a run the weakest of its tasks [X3]', () => {
  const mixed = countReached('tasks with proof of different kinds', { floor: 0.2 });
  const vacuous = countReached('a task without proof', { floor: 0.1 });
  const review = countReached("nothing but a reviewer's pass for one task", { floor: 0.05 });
  assertProperty(
    fc.property(fc.array(anyTask, { minLength: 1, maxLength: 4 }), fc.boolean(), (tasks, acceptReview) => {
      const run = landed(tasks, acceptReview);
      const expected = tasks.map(({ kinds }) => strongestFirst.find((kind) => kinds.includes(kind)) ?? null);
      expect([...run.tasks.values()].map((task) => proofOfTask(run, task))).toEqual(expected);
      const ranks = expected.map((kind) => (kind === null ? Infinity : strongestFirst.indexOf(kind)));
      const weakest = strongestFirst[Math.max(...ranks)] ?? null;
      if (new Set(expected).size > 1) mixed.mark();
      if (expected.includes(null)) vacuous.mark();
      if (weakest === 'review') review.mark();
      expect(proofOfRun(run)).toBe(weakest);
      expect(isSubstantiated(run)).toBe(weakest !== null && (weakest !== 'review' || acceptReview));
    }),
    { numRuns: 1000, reaches: [mixed, vacuous, review] },
  );
});
