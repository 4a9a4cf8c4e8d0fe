import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { Evidence, Verdict } from '#kernel/model/criterion.ts';
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

type EvidenceSample = Pick<Evidence, 'criterionId' | 'verdict' | 'tree' | 'purpose'>;
interface Case {
  readonly seen: readonly EvidenceSample[];
  /** The tree that was checked; null where the check never ended. */
  readonly looked: string | null;
  readonly after: string;
}

const purpose = fc.constantFrom<Evidence['purpose']>('attempt', 'base', 'acceptance');
const anyEvidence: fc.Arbitrary<EvidenceSample> = fc.record({
  criterionId: fc.constantFrom(...criteria.map((one) => one.id)),
  verdict: fc.constantFrom<Verdict>('pass', 'fail', 'unknown'),
  tree: fc.constantFrom('work', 'other'),
  purpose,
});
/** Irrelevant evidence: of an optional criterion, or not of an attempt. */
const idleEvidence = anyEvidence.map((one) =>
  needed.includes(one.criterionId) && one.purpose === 'attempt' ? { ...one, purpose: 'base' as const } : one,
);

/** Defects that each alone prevent the proof. */
const flaws = {
  'evidence of another tree': (one: EvidenceSample) => ({ ...one, tree: 'other' }),
  'a failure': (one: EvidenceSample) => ({ ...one, verdict: 'fail' as const }),
  'an unknown': (one: EvidenceSample) => ({ ...one, verdict: 'unknown' as const }),
  'a pass on the base alone': (one: EvidenceSample) => ({ ...one, purpose: 'base' as const }),
  'a pass at the acceptance alone': (one: EvidenceSample) => ({ ...one, purpose: 'acceptance' as const }),
  'no evidence': () => null,
} satisfies { readonly [name: string]: (one: EvidenceSample) => EvidenceSample | null };

/** A proven tree, or one with a single defect. */
const nearlyProven: fc.Arbitrary<Case> = fc
  .record({
    before: fc.array(anyEvidence, { maxLength: 4 }),
    order: fc.shuffledSubarray(needed, { minLength: needed.length }),
    flaw: fc.option(fc.tuple(fc.constantFrom(...needed), fc.constantFrom(...Object.values(flaws))), {
      freq: 2,
    }),
    later: fc.array(idleEvidence, { maxLength: 4 }),
    looked: fc.oneof({ weight: 8, arbitrary: fc.constant('work') }, fc.constantFrom('other', null)),
    after: fc.oneof({ weight: 8, arbitrary: fc.constant('work') }, fc.constant('other')),
  })
  .map(({ before, order, flaw, later, looked, after }) => {
    const passes = order.map(
      (criterionId) => ({ criterionId, verdict: 'pass', tree: 'work', purpose: 'attempt' }) as const,
    );
    const flawed = passes.flatMap((one) => (one.criterionId === flaw?.[0] ? (flaw[1](one) ?? []) : one));
    return { seen: [...before, ...flawed, ...later], looked, after };
  });
const anyCase: fc.Arbitrary<Case> = fc.record({
  seen: fc.array(anyEvidence, { maxLength: 24 }),
  looked: fc.constantFrom('work', 'other', null),
  after: fc.constantFrom('work', 'other'),
});

describe('Proof', () => {
  it('A proof has no gap exactly when the last evidence of every required criterion passes on that tree [X3]', () => {
    const proven = countReached('a proven tree', { floor: 0.1 });
    const foreign = countReached('all pass, one of them on another tree', { floor: 0.02 });
    const lacking = countReached('a checked tree with one criterion open', { floor: 0.1 });
    assertProperty(
      fc.property(fc.oneof({ weight: 4, arbitrary: nearlyProven }, anyCase), ({ seen, looked, after }) => {
        const { run } = proving(seen, looked, after);
        const task = run.tasks.get('main');
        if (task === undefined) throw new Error('there is a task');
        const newest = needed.map((id) =>
          seen.findLast((one) => one.criterionId === id && one.purpose === 'attempt'),
        );
        const open = newest.filter((one) => one?.verdict !== 'pass' || one.tree !== 'work');
        const isClean = looked === 'work' && after === 'work';
        if (open.length === 0 && isClean) proven.mark();
        if (open.length === 1 && isClean) lacking.mark();
        if (open.length > 0 && isClean && newest.every((one) => one?.verdict === 'pass')) foreign.mark();
        expect(gapsInProof(run, task, 'work').length === 0).toBe(open.length === 0 && isClean);
      }),
      { numRuns: 2000, reaches: [proven, foreign, lacking] },
    );
  });

  it.each(needed)('An unknown result never counts as a pass: %s [X3]', (unknown) => {
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
  });

  it('Work is not proven while a pinned file is changed, even if every check passes', () => {
    const seen = needed.map((criterionId) => ({
      criterionId,
      verdict: 'pass' as const,
      tree: 'work',
      purpose: 'attempt' as const,
    }));
    const { run } = proving(seen, 'work', 'work');
    const task = run.tasks.get('main');
    if (task?.inspection.checked == null) throw new Error('it was checked');
    task.inspection.checked = {
      ...task.inspection.checked,
      brokenPins: [{ path: 'test/a.test.ts', change: 'deleted', why: 'a test' }],
    };
    expect(gapsInProof(run, task, 'work')).toMatchObject([
      { criterionId: null, why: 'test/a.test.ts was deleted, and it is pinned (a test)' },
    ]);
  });
});

function proving(seen: readonly Partial<Evidence>[], looked: string | null, after: string) {
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  const step = {
    stepId: 'check',
    taskId: 'main',
    baseTree: looked ?? 'work',
    reserve: { sessions: 0, usd: 0, tokens: 0 },
    deed: { kind: 'check', purpose: 'attempt', place: 'workspace', when: 'attempt', criteria: [] },
  } as const;
  played.record({ type: 'step-started', step });
  for (const one of seen) played.record({ type: 'evidence-recorded', evidence: simulatedEvidence(one) });
  if (looked !== null)
    played.record({
      type: 'step-ended',
      stepId: 'check',
      result: { kind: 'check', treeAfter: after, brokenPins: [] },
    });
  return played;
}
