import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import type { Evidence, Verdict } from './criterion.ts';
import type { Before, FlakyPolicy } from './flaky.ts';
import {
  beforeOf,
  isConfirmed,
  isRechecked,
  settleRuns,
  sharedAgain,
  strictPolicy,
  usualAgain,
} from './flaky.ts';
import type { Step } from './step.ts';

const failedClean: Before = { verdict: 'fail', isConclusive: true };
const failedHere: Before = { verdict: 'fail', isConclusive: false };

/** Runs the check as often as required; the results come from the list, whose last entry repeats. */
function runAll(row: readonly Verdict[], before: Before | null, policy: FlakyPolicy): Verdict[] {
  const runs: Verdict[] = [];
  do runs.push(row[Math.min(runs.length, row.length - 1)] ?? 'unknown');
  while (isRechecked(runs, before, policy));
  return runs;
}

describe('The number of runs of a check', () => {
  const patient: FlakyPolicy = { retries: 3, passes: 2 };
  it.each([
    ['a pass', ['pass'], { before: null, policy: strictPolicy }, 1],
    ['a failure, without a policy', ['fail'], { before: null, policy: strictPolicy }, 1],
    ['a failure, with retries', ['fail'], { before: null, policy: patient }, 4],
    ['a failure that turns', ['fail', 'pass'], { before: null, policy: patient }, 3],
    [
      'a failure that turns, where no pass would help',
      ['fail', 'pass'],
      { before: null, policy: { retries: 3, passes: null } },
      2,
    ],
    ['an unknown', ['unknown'], { before: null, policy: patient }, 1],
    ['a pass after a failure in the workspace', ['pass'], { before: failedHere, policy: strictPolicy }, 3],
    ['such a pass that does not hold', ['pass', 'fail'], { before: failedHere, policy: strictPolicy }, 2],
    [
      'a pass after a failure on a clean checkout',
      ['pass'],
      { before: failedClean, policy: strictPolicy },
      1,
    ],
    ['the same with a policy', ['pass'], { before: failedClean, policy: patient }, 2],
    ['a failure after a failure', ['fail'], { before: failedHere, policy: strictPolicy }, 1],
  ] as const)('A check runs as often as its results require: %s', (_, row, { before, policy }, times) => {
    expect(runAll(row, before, policy)).toHaveLength(times);
  });
});

describe('The result of several runs of a check', () => {
  it('A check that passed and failed is flaky and does not pass [K7]', () => {
    expect(settleRuns(['fail', 'pass'], null, { retries: 1, passes: null })).toEqual({
      verdict: 'unknown',
      reason: 'flaky: passed 1 of 2 runs on this tree',
      flaky: { passed: 1, failed: 1, isAccepted: false },
    });
    expect(settleRuns(['pass'], failedClean, strictPolicy)).toMatchObject({ verdict: 'unknown' });
    expect(settleRuns(['pass', 'fail'], failedHere, strictPolicy)).toMatchObject({ verdict: 'unknown' });
  });

  it('A flaky check passes by policy when it passed often enough', () => {
    const policy = { retries: 3, passes: 2 };
    expect(settleRuns(['fail', 'pass', 'pass'], null, policy)).toMatchObject({
      verdict: 'pass',
      reason: 'flaky: passed 2 of 3 runs on this tree; the policy asks for 2',
      flaky: { isAccepted: true },
    });
    expect(settleRuns(['fail', 'pass', 'fail', 'fail'], null, policy)).toMatchObject({ verdict: 'unknown' });
  });

  it('A failure without a later pass is a failure, even if the last run decided nothing [K7]', () => {
    const policy = { retries: 3, passes: 1 };
    expect(settleRuns(['fail', 'unknown'], null, policy)).toEqual({
      verdict: 'fail',
      reason: 'failed 1 of 2 runs on this tree, and passed none',
    });
    expect(settleRuns(['unknown'], failedClean, policy)).toMatchObject({ verdict: 'fail' });
    expect(settleRuns(['unknown'], failedHere, policy)).toBeNull();
    expect(settleRuns(['pass', 'unknown'], null, policy)).toBeNull();
    expect(settleRuns(['fail', 'pass', 'unknown'], null, policy)).toMatchObject({
      verdict: 'unknown',
      flaky: { passed: 1, failed: 1, isAccepted: false },
    });
  });

  it('Runs that agree are not flaky, nor is a pass in a workspace that was repaired', () => {
    expect(settleRuns(['fail', 'fail'], null, strictPolicy)).toBeNull();
    expect(settleRuns(['pass', 'pass', 'pass'], failedHere, strictPolicy)).toBeNull();
  });

  it('Mixed results never pass without a policy, and the number of runs is limited', () => {
    const verdict = fc.constantFrom<Verdict>('pass', 'fail', 'unknown');
    const before = fc.option(
      fc.record({ verdict: fc.constantFrom<'pass' | 'fail'>('pass', 'fail'), isConclusive: fc.boolean() }),
    );
    const mixed = countReached('runs of a check that disagree', { floor: 0.05 });
    assertProperty(
      fc.property(
        fc.array(verdict, { minLength: 3, maxLength: 8 }),
        before,
        fc.nat(5),
        (row, seen, retries) => {
          const policy = { retries, passes: null };
          const runs = runAll(row, seen, policy);
          expect(runs.length).toBeLessThanOrEqual(Math.max(retries, 2) + 1);
          const settled = settleRuns(runs, seen, policy);
          const isMixed = runs.includes('pass') && runs.includes('fail');
          if (isMixed) mixed.mark();
          expect(isMixed && settled?.verdict === 'pass').toBe(false);
        },
      ),
      { numRuns: 300, reaches: [mixed] },
    );
  });
});

describe('A check that turned green', () => {
  /** Repeats the check at the acceptance until it is enough; each run takes equally long. */
  function runsOf(lookMs: number, least: number, again = usualAgain): number {
    let passes = 1;
    const seen = (): Parameters<typeof isConfirmed>[0] => ({
      passes,
      passesMin: least,
      lastMs: lookMs,
      spentMs: (passes - 1) * lookMs,
    });
    while (!isConfirmed(seen(), sharedAgain(again, 1))) passes += 1;
    return passes;
  }

  it.each([
    ['a quick check, many times', { lookMs: 100, least: 1 }, 10],
    ['one of a quarter of a second, as often as a second allows', { lookMs: 250, least: 1 }, 5],
    ['one of seconds, three times', { lookMs: 3_000, least: 1 }, 3],
    ['a slow one, once: it was seen in the attempt too', { lookMs: 6_000, least: 1 }, 1],
    ['one that no attempt looks at, twice, however long it takes', { lookMs: 600_000, least: 2 }, 2],
  ])('A check that turned green runs again: %s [K7]', (_, { lookMs, least }, times) => {
    expect(runsOf(lookMs, least)).toBe(times);
  });

  it('A check that turned green runs again as often, and for as long, as the settings say [K7]', () => {
    expect(runsOf(60_000, 1, { looks: 4, withinMs: 600_000 })).toBe(4);
    expect(runsOf(600_000, 2, { looks: 1, withinMs: 0 })).toBe(1);
  });
});

describe('Earlier results', () => {
  const seen = {
    taskId: 't',
    criterionId: 'c',
    stepId: 's',
    purpose: 'acceptance',
    place: 'clean',
    tree: 'a',
    verdict: 'fail',
    reason: '',
    command: '',
    ending: null,
    tail: '',
    log: null,
    durationMs: 1,
    conditions: 'x',
  } as const;

  it('An earlier result counts only for the same tree, place and conditions', () => {
    const now = { tree: 'a', place: 'clean', conditions: 'x' } as const;
    expect(beforeOf([seen], now)).toEqual(failedClean);
    expect(beforeOf([{ ...seen, verdict: 'unknown' }, undefined], now)).toBeNull();
    expect(beforeOf([seen], { ...now, tree: 'b' })).toBeNull();
    expect(beforeOf([seen], { ...now, place: 'workspace' })).toBeNull();
    expect(beforeOf([seen], { ...now, conditions: 'y' })).toBeNull();
    expect(beforeOf([seen], { tree: 'a', place: 'clean' })).toBeNull();
  });
});

describe('A flaky check in a run', () => {
  const flaky = { passed: 1, failed: 1, isAccepted: false };
  const shaky = { verdict: 'unknown', reason: 'flaky: passed 1 of 2 runs', flaky } as const;

  /** One attempt whose only check was flaky. */
  function shaken(seen: Partial<Evidence> = shaky): PlayedRun {
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    recordCheck(played, played.beginOne(), seen);
    return played;
  }

  function recordCheck(played: PlayedRun, step: Step, seen: Partial<Evidence>): void {
    if (step.deed.kind !== 'check') throw new Error(`${step.stepId} is no check`);
    const { stepId } = step;
    const tree = step.baseTree ?? '';
    const { purpose, place } = step.deed;
    played.record(
      { type: 'evidence-recorded', evidence: simulatedEvidence({ stepId, purpose, place, tree, ...seen }) },
      { type: 'step-ended', stepId, result: { kind: 'check', treeAfter: tree, brokenPins: [] } },
    );
  }

  it('A flaky check waits for a person, whose verdict counts for that tree, also at the acceptance [K7]', () => {
    const played = shaken();
    expect(played.settle().waitingFor).toBe("a person's verdict on works: flaky: passed 1 of 2 runs");
    expect(attentionItems(played.run)).toMatchObject([
      { kind: 'verdict', criterionId: 'works', tree: 'work' },
    ]);
    played.ask({ kind: 'approve', taskId: 'main', criterionId: 'works', tree: 'work' });
    played.endCommit(played.beginOne(), 'c1');
    recordCheck(played, played.beginOne(), shaky);
    played.settle();
    expect(played.run.outcome?.outcome).not.toBe('exhausted');
    expect(played.run.acceptance).toMatchObject({ isPassed: true });
    expect(played.run.tip).toMatchObject({ commit: 'c1', tree: played.run.acceptance?.tree });
  });

  it('A flaky check without an approval does not pass the acceptance, nor does one that never passed there [K7]', () => {
    const played = shaken();
    played.settle();
    played.ask({ kind: 'approve', taskId: 'main', criterionId: 'works', tree: 'work' });
    played.endCommit(played.beginOne(), 'c1');
    recordCheck(played, played.beginOne(), { verdict: 'fail', reason: 'exit 1' });
    played.settle();
    expect(played.run.acceptance?.isPassed ?? false).toBe(false);
    expect(played.run.tasks.get('main')?.status.is).not.toBe('landed');
  });

  it('A flaky check is asked again if the person approved it before it had failed [K7] [K8]', () => {
    const played = shaken({ verdict: 'unknown', reason: 'it executed no test' });
    played.settle();
    const approve = { kind: 'approve', taskId: 'main', criterionId: 'works', tree: 'work' } as const;
    played.ask(approve);
    played.endCommit(played.beginOne(), 'c1');
    recordCheck(played, played.beginOne(), shaky);
    expect(played.settle().waitingFor).toMatch(/works.*flaky: passed 1 of 2 runs/);
    expect(played.run.acceptance?.isPassed ?? false).toBe(false);
    played.ask(approve);
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.sessions).toHaveLength(1);
  });

  it('A check that is flaky on the base has not flipped when it passes at the end [X7]', () => {
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
    played.prepare();
    recordCheck(played, played.beginOne(), { verdict: 'unknown', reason: 'flaky', flaky });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.outcome?.outcome).toBe('unverified');
  });

  it('Many checks share one minute for repeated runs, so that a plan of a thousand tasks does not take hours [K7]', () => {
    expect(sharedAgain(usualAgain, 4)).toMatchObject(usualAgain);
    const shared = sharedAgain(usualAgain, 1000);
    expect([shared.withinMs * 1000, shared.leastWithinMs * 1000]).toEqual([60_000, 60_000]);
    const seen = { passes: 1, passesMin: 1, lastMs: 70, spentMs: 0 };
    expect(isConfirmed(seen, sharedAgain(usualAgain, 1))).toBe(false);
    expect(isConfirmed(seen, shared)).toBe(true);
  });
});
