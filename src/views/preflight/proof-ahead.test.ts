// A person accepts, during a run, that a reviewer's pass completes it.
import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { playCampaign, planOf } from '#test/simulated/played-campaign.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import type { KnownCheck, PlayedRun } from '#test/simulated/simulated-run.ts';
import { preflightLines } from './preflight.ts';
import { noProofAhead, preflightOfBase } from './proof-ahead.ts';

/** Up to the builder: the check said this on the base. */
function begun(base: 'pass' | 'fail', acceptReview: boolean | 'no-check-could-flip' = false): PlayedRun {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config: { acceptReview } });
  played.prepare();
  played.endCheck(played.beginOne(), { works: base });
  return played;
}

function finish(played: PlayedRun): void {
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCommit(played.beginOne(), 'commit-1');
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.settle();
}

describe('A review that is accepted during the run', () => {
  it('A run whose review is accepted during the run completes, and names the review as its proof', () => {
    const played = begun('pass');
    played.ask({ kind: 'accept-review' });
    finish(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed', proof: 'review' });
  });

  it('A review that is accepted during the run counts as no more than a review', () => {
    const played = begun('fail');
    played.ask({ kind: 'accept-review' });
    finish(played);
    expect(played.run.outcome).toMatchObject({ outcome: 'completed', proof: 'checks' });
  });
});

describe('The checks on the base, in the list before the first session', () => {
  function listed(verdicts: { [id: string]: Verdict }, known: KnownCheck = {}): string[] {
    const criteria = [...Object.keys(verdicts).map((id) => commandCriterion(id)), reviewerCriterion];
    const config = { acceptReview: false as const };
    const played = playRun({ tasks: [simulatedTask('main', { criteria })], config });
    played.prepare();
    played.endCheck(played.beginOne(), verdicts, known);
    return preflightLines(preflightOfBase(played.run));
  }

  it('A check that fails can prove the work, and one that passes must keep passing', () => {
    expect(listed({ test: 'fail', lint: 'pass' }, { failing: 3 })).toEqual([
      '  ✓ check test: fails before the work (3 failing tests)',
      '  ✓ check lint: passes before the work and must keep passing',
    ]);
  });

  it('If no check fails on the base, each has a warning, and the ways to proof follow', () => {
    const lines = listed({ lint: 'pass' });
    expect(lines[0]).toBe('  ! check lint: passes before the work, so it cannot prove it');
    expect(lines[1]).toMatch(/^ {2}! proof: +No check fails before the work/);
    expect(lines[2]).toMatch(/^ {4,}To prove it: /);
  });

  it('A broken setup is refused if it is certain, and gives a warning if it is not', () => {
    const text = 'the package "zod" is declared in package.json and not installed';
    expect(listed({ test: 'fail' }, { cause: { kind: 'missing-package', text } })).toEqual([
      `  ✗ check test: cannot pass here: ${text}`,
    ]);
    expect(listed({ test: 'fail' }, { cause: { kind: 'suspicious', text } })).toEqual([
      `  ! check test: fails before the work; this looks like a broken setup: ${text}`,
    ]);
    expect(listed({ test: 'unknown' }, { reason: 'no test was executed' })).toEqual([
      '  ! check test: is undecided before the work: no test was executed',
    ]);
  });

  it('A check that times out on the base has a warning: the time may be too short after the work as well', () => {
    const ending = { kind: 'timed-out', limit: 'wall', afterMs: 3000 } as const;
    expect(listed({ test: 'fail' }, { ending, reason: 'timed out after 3 s' })).toEqual([
      '  ! check test: does not end in time before the work (timed out after 3 s)',
    ]);
  });

  it('The list is empty before the base was checked and once work has started', () => {
    const played = begun('fail');
    expect(preflightOfBase(played.run)).toHaveLength(1);
    played.beginOne();
    expect(preflightOfBase(played.run)).toEqual([]);
  });
});

describe('The notes before the first session', () => {
  it('Two lines say that no check could prove the work, once the base was checked', () => {
    const criteria = [commandCriterion('works'), reviewerCriterion];
    const early = playRun({ tasks: [simulatedTask('main', { criteria })], config: { acceptReview: false } });
    early.prepare();
    expect(noProofAhead(early.run)).toBeNull();
    expect(noProofAhead(begun('pass').run)).toHaveLength(2);
    expect(noProofAhead(begun('fail').run)).toBeNull();
  });

  it('No note appears if a review is accepted, or a person decides in the end', () => {
    expect(noProofAhead(begun('pass', true).run)).toBeNull();
    expect(noProofAhead(begun('pass', 'no-check-could-flip').run)).toBeNull();
    const human = { ...reviewerCriterion, id: 'ann', check: { kind: 'human', question: 'ok?' } } as const;
    const criteria = [commandCriterion('works'), human];
    const asked = playRun({ tasks: [simulatedTask('main', { criteria })], config: { acceptReview: false } });
    asked.prepare();
    asked.endCheck(asked.beginOne(), { works: 'pass' });
    expect(noProofAhead(asked.run)).toBeNull();
  });

  it('A run without a reviewer names the remaining options, even if a review would be accepted, and mentions no review', () => {
    for (const acceptReview of [false, true, 'no-check-could-flip'] as const) {
      const tasks = [simulatedTask('main', { criteria: [commandCriterion('works')] })];
      const played = playRun({ tasks, config: { acceptReview } });
      played.prepare();
      played.endCheck(played.beginOne(), { works: 'pass' });
      const said = noProofAhead(played.run)?.join(' ');
      expect(said).toContain('there is no reviewer. The run ends as "unverified" (exit 7).');
      expect(said).toContain('or approve the result (untildone approve)');
      expect(said).not.toContain("reviewer's pass");
    }
  });

  it('A campaign whose goal is met after its last task gets no note about an impossible ending', () => {
    const played = playCampaign({
      plan: () => planOf([simulatedTask('T1')]),
      onBase: (id) => (id === 'goal' ? 'pass' : 'fail'),
      planning: { milestones: [], criteria: [commandCriterion('whole')] },
    });
    played.goOn((step) => {
      if (step.taskId !== 'goal') return false;
      played.endCheck(step, { whole: 'pass' });
      return true;
    });
    expect(played.run.tasks.get('goal')?.status.is).not.toBe('landed');
    expect(noProofAhead(played.run)).toBeNull();
    played.goOn();
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(noProofAhead(played.run)).toBeNull();
  });

  it('The checks of an unplanned goal predict no ending, because the checks of its tasks may prove it', () => {
    const played = playRun({ tasks: [simulatedTask('goal', { criteria: [commandCriterion('whole')] })] });
    played.prepare();
    played.endCheck(played.beginOne(), { whole: 'pass' });
    expect(preflightLines(preflightOfBase(played.run, true))).toEqual([
      '  ✓ check whole: passes before the work and must keep passing',
    ]);
    expect(preflightOfBase(played.run)).toHaveLength(2);
  });

  it('No note is repeated for a run that a person approved after its end', () => {
    const played = begun('pass');
    finish(played);
    expect(noProofAhead(played.run)).toHaveLength(2);
    played.ask({ kind: 'approve-run', tree: played.run.tip?.tree ?? '' });
    played.settle();
    expect(played.run.approval).not.toBeNull();
    expect(noProofAhead(played.run)).toBeNull();
  });
});
