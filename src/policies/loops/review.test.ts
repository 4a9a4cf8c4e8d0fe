import { describe, expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Signal } from '#kernel/model/signal.ts';
import type { Step } from '#kernel/model/step.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedConfig,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import type { Blocker, ReviewVerdict, Trial } from '#kernel/model/review.ts';

const second: Criterion = commandCriterion('security', { check: { kind: 'reviewer', role: 'security' } });

function config(known: Partial<RunConfig> = {}): Partial<RunConfig> {
  const { roles } = simulatedConfig();
  const { verifier } = roles;
  if (verifier === undefined) throw new Error('there is a verifier');
  const security = { ...verifier, agent: { name: 'simulated', model: 'other' } };
  return { roles: { ...roles, security }, ...known };
}

/** Plays a run up to the start of the reviewers. */
function built(criteria: readonly Criterion[], known: Partial<RunConfig> = {}): PlayedRun {
  const task = simulatedTask('main', { criteria: [commandCriterion('works'), ...criteria] });
  const played = playRun({ tasks: [task], config: config(known) });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  return played;
}

function verdict(known: Partial<ReviewVerdict>): { readonly signal: Signal } {
  return {
    signal: {
      kind: 'verdict',
      verdict: { verdict: 'pass', confidence: null, blockers: [], text: '', ...known },
    },
  };
}

const blocker = (known: Partial<Blocker> = {}): Blocker => ({
  what: 'it crashes',
  severity: 'major',
  isSecurity: false,
  command: 'node crash.js',
  ...known,
});

function tried(played: PlayedRun, step: Step, outcome: Trial['outcome']): void {
  if (step.deed.kind !== 'reproduce') throw new Error(`${step.stepId} tries nothing`);
  for (const { index } of step.deed.commands)
    played.record({
      type: 'blocker-tried',
      taskId: 'main',
      stepId: step.deed.review,
      index,
      trial: { outcome, reason: 'exit 1', ending: { kind: 'exited', code: 1 }, tail: 'boom', log: null },
    });
  played.record({ type: 'step-ended', stepId: step.stepId, result: { kind: 'reproduce' } });
}

function roles(steps: readonly Step[]): string[] {
  return steps.map(({ deed }) => (deed.kind === 'session' ? deed.role : deed.kind));
}

function two(played: PlayedRun): [Step, Step] {
  const [one, other, ...more] = played.begin();
  if (one === undefined || other === undefined || more.length > 0) throw new Error('two steps were expected');
  return [one, other];
}

describe('Several reviewers', () => {
  it('Several reviewers start together, each in its own read-only session with the change [Q10]', () => {
    const played = built([reviewerCriterion, second]);
    const steps = two(played);
    expect(roles(steps)).toEqual(['verifier', 'security']);
    for (const { deed, baseTree } of steps)
      expect({ ...deed, baseTree }).toMatchObject({ readOnly: true, baseTree: 'work', diffFrom: 'base' });
    expect(new Set(steps.map(({ stepId }) => stepId)).size).toBe(2);
  });

  it('All reviewers must pass, and one that ended early is not asked again [Q10]', () => {
    const played = built([reviewerCriterion, second]);
    const [one, other] = two(played);
    played.endSession(one, verdict({}));
    expect(played.begin()).toEqual([]);
    played.endSession(other, { ending: { kind: 'crashed', detail: 'boom' }, signal: null });
    const again = played.beginOne();
    expect(roles([again])).toEqual(['security']);
    played.endSession(again, verdict({ verdict: 'warn' }));
    expect(played.beginOne()).toMatchObject({ baseTree: 'work', deed: { kind: 'commit' } });
  });

  it('Any failing reviewer fails the attempt, and the next builder reads the findings of all [Q10]', () => {
    const played = built([reviewerCriterion, second]);
    const [one, other] = two(played);
    played.endSession(one, verdict({ verdict: 'fail', text: 'line 3 is wrong' }));
    played.endSession(other, verdict({ verdict: 'fail', text: 'line 9 leaks' }));
    const builder = played.beginOne();
    if (builder.deed.kind !== 'session') throw new Error('a builder was expected');
    expect(builder.deed).toMatchObject({ role: 'builder', attempt: 2 });
    expect(builder.deed.prompt).toMatch(/verifier \(simulated\)\n\nline 3 is wrong/);
    expect(builder.deed.prompt).toMatch(/security \(simulated, other\)\n\nline 9 leaks/);
  });

  it('Reviewers share one budget: a reviewer that it cannot pay waits until another has ended [X1]', () => {
    const played = built([reviewerCriterion, second], { budget: simulatedBudget({ sessions: 2 }) });
    const [first, ...none] = played.begin();
    if (first === undefined) throw new Error('one fits');
    expect(none).toEqual([]);
    played.endSession(first, verdict({}));
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
  });

  it('Reviewers wait for their providers one by one, and keep the findings of the others [U5]', () => {
    const played = built([reviewerCriterion, second]);
    const [one, other] = two(played);
    played.endSession(one, {
      ending: { kind: 'failed', errorClass: 'overloaded', detail: 'busy' },
      signal: null,
    });
    played.endSession(other, verdict({}));
    expect(played.settle()).toMatchObject({ start: [], isTimed: true });
    expect(played.run.tasks.get('main')?.evidence.get('security')?.attempt?.verdict).toBe('pass');
    played.pass(5000);
    expect(roles([played.beginOne()])).toEqual(['verifier']);
  });

  it('Reviewers that were interrupted together each continue where they were [Q5]', () => {
    const played = built([reviewerCriterion, second]);
    const [one, other] = two(played);
    played.endSession(one, { ending: { kind: 'interrupted', resumeId: 'a' }, signal: null });
    played.endSession(other, { ending: { kind: 'interrupted', resumeId: 'b' }, signal: null });
    expect(two(played).map(({ deed }) => (deed.kind === 'session' ? deed.resume : null))).toEqual(['a', 'b']);
  });

  it('Reviewers have no verdict if the branch moved while they ran, by any cause [B7]', () => {
    const played = built([reviewerCriterion, second]);
    const [one, other] = two(played);
    const ref = `refs/heads/${played.run.config.repo.branch}`;
    played.record({ type: 'ref-restored', stepId: one.stepId, ref, action: 'moved-back', keptAs: 'k' });
    played.endSession(one, verdict({}));
    played.endSession(other, verdict({}));
    expect(roles(two(played))).toEqual(['verifier', 'security']);
  });
});

describe('A blocker with a command', () => {
  function blocked(known: Partial<ReviewVerdict> = {}): { played: PlayedRun; trial: Step } {
    const played = built([reviewerCriterion]);
    played.endSession(played.beginOne(), verdict({ verdict: 'fail', blockers: [blocker()], ...known }));
    return { played, trial: played.beginOne() };
  }

  it('The command of a blocker runs on that very tree before the blocker counts [Q10]', () => {
    expect(blocked().trial).toMatchObject({
      baseTree: 'work',
      deed: { kind: 'reproduce', commands: [{ index: 0, run: 'node crash.js' }] },
      reserve: { sessions: 0 },
    });
  });

  it('A reproduced blocker fails the attempt however unsure the reviewer was, and the builder gets our result [Q10]', () => {
    const { played, trial } = blocked({ confidence: 0.1 });
    tried(played, trial, 'reproduced');
    const builder = played.beginOne();
    if (builder.deed.kind !== 'session') throw new Error('a builder was expected');
    expect(builder.deed.attempt).toBe(2);
    expect(builder.deed.prompt).toContain('`node crash.js` (reproduced by us: exit 1)');
    expect(builder.deed.prompt).toContain('boom');
  });

  it('A blocker that does not reproduce is no pass either: the reviewer is asked once more, then a person [Q10]', () => {
    const { played, trial } = blocked();
    tried(played, trial, 'not reproduced');
    const again = played.beginOne();
    if (again.deed.kind !== 'session') throw new Error('the reviewer was expected');
    expect(again.deed).toMatchObject({ role: 'verifier', attempt: 1, resume: null });
    expect(again.deed.prompt).toContain('none of its blockers could be reproduced');
    played.endSession(again, verdict({ verdict: 'fail', blockers: [blocker()] }));
    tried(played, played.beginOne(), 'not reproduced');
    expect(played.settle()).toMatchObject({ start: [], isTimed: false });
    expect(played.settle().waitingFor).toMatch(/a person's verdict on verifier: .*could be reproduced/);
    expect(played.run.outcome).toBeNull();
  });

  it('A fail remains a fail if its blocker could not run to the end, or is one of several [Q10]', () => {
    const { played, trial } = blocked();
    tried(played, trial, 'unknown');
    expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
    const mixed = blocked({ blockers: [blocker(), blocker({ command: null })] });
    tried(mixed.played, mixed.trial, 'not reproduced');
    expect(mixed.played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
  });

  it('A blocker is tried again when the trial was lost, and no session is paid for it [Q10]', () => {
    const { played, trial } = blocked();
    played.record({ type: 'step-lost', stepId: trial.stepId, reason: 'gone', usage: { usd: 0, tokens: 0 } });
    expect(played.beginOne()).toMatchObject({ deed: { kind: 'reproduce' } });
    expect(played.run.ledger.spent.sessions).toBe(2);
  });

  it('Blockers are tried up to a limit, and untried ones leave the fail in force [Q10]', () => {
    const many = Array.from({ length: 12 }, () => blocker());
    const { played, trial } = blocked({ blockers: many });
    expect(trial.deed).toMatchObject({ commands: { length: 8 } });
    tried(played, trial, 'not reproduced');
    expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
  });
});

describe('A verdict that does not decide', () => {
  it('A critical blocker fails the attempt even if the reviewer only warns [Q10]', () => {
    const played = built([reviewerCriterion]);
    const leak = blocker({ severity: 'critical', isSecurity: false, command: null });
    played.endSession(played.beginOne(), verdict({ verdict: 'warn', blockers: [leak] }));
    expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
  });

  function unsure(): PlayedRun {
    const played = built([reviewerCriterion]);
    played.endSession(played.beginOne(), verdict({ confidence: 0.2 }));
    const again = played.beginOne();
    expect(roles([again])).toEqual(['verifier']);
    played.endSession(again, verdict({ confidence: 0.3 }));
    return played;
  }

  it('An unsure reviewer is asked again once, and then a person decides, only for that very tree [Q10] [K8]', () => {
    const played = unsure();
    expect(played.settle().waitingFor).toContain("a person's verdict on verifier");
    const about = { taskId: 'main', criterionId: 'verifier' };
    played.ask({ kind: 'approve', ...about, tree: 'another' });
    played.settle();
    expect(played.run.tasks.get('main')?.evidence.get('verifier')?.attempt?.verdict).toBe('unknown');
    played.ask({ kind: 'approve', ...about, tree: 'work' });
    expect(played.beginOne()).toMatchObject({ deed: { kind: 'commit' } });
    expect(played.run.tasks.get('main')?.evidence.get('verifier')?.attempt?.reason).toMatch(
      /^approved by ann at/,
    );
  });

  it('A person can reject after an unsure verdict, and the next builder gets the reason [K8]', () => {
    const played = unsure();
    played.settle();
    played.ask({ kind: 'reject', taskId: 'main', criterionId: 'verifier', tree: 'work', why: 'too slow' });
    const builder = played.beginOne();
    expect(builder.deed).toMatchObject({ role: 'builder', attempt: 2 });
    expect(builder.deed.kind === 'session' && builder.deed.prompt).toContain('too slow');
  });

  it('A person cannot overrule a reviewer that has decided', () => {
    const played = built([reviewerCriterion, personCriterion]);
    played.endSession(played.beginOne(), verdict({}));
    expect(played.settle().waitingFor).toContain('Is it good?');
    const id = played.ask({
      kind: 'reject',
      taskId: 'main',
      criterionId: 'verifier',
      tree: 'work',
      why: 'no',
    });
    played.settle();
    expect(played.run.controls.get(id)).toBe('refused');
  });
});

describe('A review without a verdict', () => {
  const expected =
    'it should print a line with nothing but ===VERIFIER_COMPLETE=== (pass), or <verifier-report>…</verifier-report> (fail)';

  it.each<[string, Signal | null, string]>([
    [
      'prints plain words',
      { kind: 'report', text: 'It is fine.', isUntagged: true },
      'its output holds no marker and no report',
    ],
    ['prints nothing', { kind: 'continue' }, 'it printed no answer'],
    ['has no signal', null, 'it printed no answer'],
    ['contradicts itself', { kind: 'failed', reason: 'it gave two verdicts' }, 'it gave two verdicts'],
  ])(
    'A reviewer that %s is asked once more, then a person decides, and nothing has failed [B6] [Q10]',
    (_title, signal, why) => {
      const played = built([reviewerCriterion], { policy: simulatedPolicy({ reviewerErrorsMax: 1 }) });
      const text = `the verifier gave no verdict: ${why}`;
      played.endSession(played.beginOne(), { signal, log: 'verifier_001.jsonl' });
      const again = played.beginOne();
      expect(roles([again])).toEqual(['verifier']);
      expect(again.deed.kind === 'session' && again.deed.prompt).toContain(
        `${text}; ${expected}. Review it again`,
      );
      played.endSession(again, { signal, log: 'verifier_002.jsonl' });
      expect(played.settle()).toMatchObject({ start: [], isTimed: false });
      expect(played.settle().waitingFor).toBe(`a person's verdict on verifier: ${text}`);
      const task = played.run.tasks.get('main');
      expect(task?.evidence.get('verifier')?.attempt?.verdict).toBe('unknown');
      expect(task).toMatchObject({
        failures: { count: 0 },
        attempt: 1,
        reviewers: { report: null, errors: 0 },
      });
      expect(JSON.stringify(played.events)).not.toContain('reported failures');
      played.ask({ kind: 'approve', taskId: 'main', criterionId: 'verifier', tree: 'work' });
      expect(played.beginOne()).toMatchObject({ deed: { kind: 'commit' } });
    },
  );

  it('A verdict on the second request counts as any other [B5] [B6]', () => {
    const silent = { signal: { kind: 'report', text: 'Hm.', isUntagged: true } } as const;
    const passed = built([reviewerCriterion]);
    passed.endSession(passed.beginOne(), silent);
    passed.endSession(passed.beginOne(), { signal: { kind: 'done' } });
    expect(passed.beginOne()).toMatchObject({ deed: { kind: 'commit' } });
    const failed = built([reviewerCriterion]);
    failed.endSession(failed.beginOne(), silent);
    failed.endSession(failed.beginOne(), { signal: { kind: 'report', text: 'line 3' } });
    expect(failed.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
  });

  it('A reviewer without a verdict does not hide the fail of another one [Q10]', () => {
    const played = built([reviewerCriterion, second]);
    const [one, other] = two(played);
    played.endSession(one, { signal: { kind: 'report', text: 'Hm.', isUntagged: true } });
    played.endSession(other, verdict({ verdict: 'fail', text: 'line 9 leaks' }));
    expect(played.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
  });

  it('A reviewer that changed files has no valid verdict, and a missing one does not excuse that [B7]', () => {
    const played = built([reviewerCriterion], { policy: simulatedPolicy({ reviewerErrorsMax: 1 }) });
    played.endSession(played.beginOne(), {
      signal: { kind: 'report', text: 'Hm.', isUntagged: true },
      endTree: 'work-and-more',
    });
    expect(played.settle()).toMatchObject({ start: [], isTimed: false });
    expect(played.settle().waitingFor).toContain(
      "a person's verdict on verifier: the verifier gave no valid verdict; the last reason: it changed files, so its verdict is not valid",
    );
    expect(played.run.tasks.get('main')?.evidence.get('verifier')?.attempt?.verdict).toBe('unknown');
  });

  it('A reviewer that crashes each time does not suppress the verdicts of the others [B6] [Q10]', () => {
    const played = built([reviewerCriterion, second], { policy: simulatedPolicy({ reviewerErrorsMax: 1 }) });
    const [one, other] = two(played);
    played.endSession(one, { ending: { kind: 'crashed', detail: 'boom' }, signal: null });
    played.endSession(other, {
      ending: { kind: 'failed', errorClass: 'overloaded', detail: 'busy' },
      signal: null,
    });
    expect(played.settle()).toMatchObject({ start: [], isTimed: true });
    played.pass(5000);
    const again = played.beginOne();
    expect(roles([again])).toEqual(['security']);
    played.endSession(again, verdict({}));
    expect(played.settle().waitingFor).toMatch(
      /^a person's verdict on verifier: .*the last reason: it crashed: boom/,
    );
  });

  it('A reviewer whose agent cannot work at all ends the task, and no person is asked for its verdict [B6]', () => {
    const played = built([reviewerCriterion]);
    played.endSession(played.beginOne(), {
      ending: { kind: 'failed', errorClass: 'authentication', detail: 'not logged in' },
      signal: null,
    });
    played.settle();
    expect(played.run.outcome).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('not logged in') as string,
    });
  });
});

describe('A reviewer that always passes', () => {
  it('A reviewer that always passes completes nothing if a required check fails or nothing was changed [Q10] [X7]', () => {
    const red = built([reviewerCriterion]);
    red.endSession(red.beginOne(), verdict({}));
    red.endCommit(red.beginOne(), 'c1');
    red.endCheck(red.beginOne(), { works: 'fail' });
    expect(red.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
    const idle = playRun({ tasks: [simulatedTask('main', { criteria: [reviewerCriterion] })] });
    idle.prepare();
    idle.endSession(idle.beginOne(), { endTree: 'base' });
    idle.endCheck(idle.beginOne(), {});
    expect(idle.beginOne()).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
  });
});
