import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedEvidence,
  simulatedTask,
} from '#testing/simulated-run.ts';
import type { Evidence, Verdict } from './criterion.ts';
import { gapsInProof } from './proof.ts';

const criteria = [
  commandCriterion('works'),
  commandCriterion('fast'),
  commandCriterion('nice', { required: false }),
  commandCriterion('slow', { when: 'acceptance' }),
  commandCriterion('ready', { kind: 'entry' }),
  reviewerCriterion,
];
const needed = ['works', 'fast', 'verifier'];

const verdict = fc.constantFrom<Verdict>('pass', 'fail', 'unknown');
const tree = fc.constantFrom('work', 'other');
const evidence = fc.record({
  criterionId: fc.constantFrom(...criteria.map((one) => one.id)),
  verdict,
  tree,
  purpose: fc.constantFrom<Evidence['purpose']>('attempt', 'base', 'acceptance'),
});

describe('proof', () => {
  it('has no gap exactly when every required criterion passed on that very tree, the last time it was looked at [X3]', () => {
    fc.assert(
      fc.property(fc.array(evidence, { maxLength: 24 }), tree, tree, (seen, looked, after) => {
        const { run } = proving(seen, looked, after);
        const task = run.tasks.get('main');
        if (task === undefined) throw new Error('there is a task');
        const isProven = needed.every((id) => {
          const newest = seen.findLast((one) => one.criterionId === id && one.purpose === 'attempt');
          return newest?.verdict === 'pass' && newest.tree === 'work';
        });
        const isClean = looked === 'work' && after === 'work';
        expect(gapsInProof(run, task, 'work').length === 0).toBe(isProven && isClean);
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes unknown for a pass [X3]', () => {
    fc.assert(
      fc.property(fc.constantFrom(...needed), (unknown) => {
        const seen = needed.map((criterionId) => ({
          criterionId,
          verdict: criterionId === unknown ? ('unknown' as const) : ('pass' as const),
          tree: 'work',
          purpose: 'attempt' as const,
        }));
        const { run } = proving(seen, 'work', 'work');
        const task = run.tasks.get('main');
        if (task === undefined) throw new Error('there is a task');
        expect(gapsInProof(run, task, 'work').map((gap) => gap.criterionId)).toEqual([unknown]);
      }),
    );
  });

  it('is not proven while a pinned file is changed, however green it is', () => {
    const seen = needed.map((criterionId) => ({
      criterionId,
      verdict: 'pass' as const,
      tree: 'work',
      purpose: 'attempt' as const,
    }));
    const { run } = proving(seen, 'work', 'work');
    const task = run.tasks.get('main');
    if (task?.checked == null) throw new Error('it was checked');
    task.checked = {
      ...task.checked,
      brokenPins: [{ path: 'test/a.test.ts', change: 'deleted', why: 'a test' }],
    };
    expect(gapsInProof(run, task, 'work')).toMatchObject([
      { criterionId: null, why: 'test/a.test.ts was deleted, and it is pinned (a test)' },
    ]);
  });
});

function proving(seen: readonly Partial<Evidence>[], looked: string, after: string) {
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  const step = {
    stepId: 'check',
    taskId: 'main',
    baseTree: looked,
    reserve: { sessions: 0, usd: 0, tokens: 0 },
    deed: { kind: 'check', purpose: 'attempt', place: 'workspace', when: 'attempt', criteria: [] },
  } as const;
  played.record({ type: 'step-started', step });
  for (const one of seen) played.record({ type: 'evidence-recorded', evidence: simulatedEvidence(one) });
  played.record({
    type: 'step-ended',
    stepId: 'check',
    result: { kind: 'check', treeAfter: after, brokenPins: [] },
  });
  return played;
}
