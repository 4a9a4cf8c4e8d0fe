import { describe, expect, it } from 'vitest';
import { exitCodes } from '#kernel/model/outcome.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { SessionOperation, Step } from '#kernel/model/step.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedEvidence,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';

const both = [commandCriterion('works'), reviewerCriterion];

function playing(criteria = both, config: Partial<RunConfig> = {}): PlayedRun {
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config });
  played.prepare();
  if (criteria.some((one) => one.check.kind === 'command'))
    played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

function session(step: Step): SessionOperation {
  if (step.deed.kind !== 'session') throw new Error(`${step.stepId} is no session`);
  return step.deed;
}

/** Plays one attempt up to the step after the checks. */
function attempt(played: PlayedRun, works: 'pass' | 'fail', tree = 'work'): Step {
  played.endSession(played.beginOne(), { endTree: tree });
  played.endCheck(played.beginOne(), { works });
  return played.beginOne();
}

describe('the builder', () => {
  it('The builder is a fresh session in each attempt, up to the limit, with a pause between [B1]', () => {
    const played = playing(both, {
      policy: simulatedPolicy({ cooldownMs: 2000 }),
      budget: simulatedBudget({ attemptsPerTask: 3 }),
    });
    const attempts: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const builder = session(played.beginOne());
      attempts.push(builder.attempt);
      expect(builder).toMatchObject({ role: 'builder', resume: null, ordinal: round, readOnly: false });
      played.endSession([...played.run.running.values()][0] as Step, { endTree: `work-${round}` });
      played.endCheck(played.beginOne(), { works: 'fail' });
      if (round === 3) break;
      expect(played.settle()).toMatchObject({ start: [], isTimed: true, wakeAt: played.run.now + 2000 });
      played.pass(1999);
      expect(played.settle().start).toEqual([]);
      played.pass(1);
    }
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('Our checks follow the builder, whatever it said and however it ended [B4]', () => {
    const endings: SessionEnding[] = [
      { kind: 'finished' },
      { kind: 'crashed', detail: 'boom' },
      { kind: 'timed-out', limit: 'idle' },
      { kind: 'over-limit', limit: 'usd' },
      { kind: 'failed', errorClass: 'overloaded', detail: 'busy' },
    ];
    for (const ending of endings) {
      for (const signal of [null, { kind: 'done' }, { kind: 'failed', reason: 'no' }] as const) {
        const played = playing();
        played.endSession(played.beginOne(), { endTree: 'work', ending, signal });
        expect(played.beginOne()).toMatchObject({
          baseTree: 'work',
          deed: { kind: 'check', purpose: 'attempt', place: 'workspace' },
        });
      }
    }
  });

  it('The next attempt of a builder continues from its own files, not from the start [B1]', () => {
    const played = playing();
    expect(attempt(played, 'fail', 'half')).toMatchObject({ baseTree: 'half', deed: { attempt: 2 } });
  });

  it('An attempt that leaves the tree unchanged did nothing, even if every check is green [X7]', () => {
    const played = playing([commandCriterion('works')]);
    expect(attempt(played, 'pass', 'base')).toMatchObject({ deed: { role: 'builder', attempt: 2 } });
    expect(played.run.tasks.get('main')?.failures.last?.reason).toBe('the agent changed nothing');
  });

  it('A stuck run says once that the agent changed nothing', () => {
    const played = playing([commandCriterion('works')], { policy: simulatedPolicy({ stuckMax: 2 }) });
    attempt(played, 'pass', 'base');
    const last = [...played.run.running.values()][0] as Step;
    played.endSession(last, { endTree: 'base' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.settle();
    expect(played.run.outcome).toMatchObject({
      outcome: 'failed',
      reason: 'stuck: the agent changed nothing in the last 2 attempts',
    });
  });

  it('A builder is not retried where no retry could help [X3]', () => {
    const played = playing();
    played.endSession(played.beginOne(), {
      ending: { kind: 'failed', errorClass: 'authentication', detail: 'log in first' },
    });
    played.settle();
    expect(played.run.outcome).toEqual({
      outcome: 'failed',
      reason: 'failed (authentication): log in first',
    });
    expect(exitCodes.failed).toBe(1);
  });

  it('A builder whose session we cut off is started again in the same attempt', () => {
    const played = playing();
    played.endSession(played.beginOne(), { ending: { kind: 'cancelled', reason: 'gone' }, endTree: 'half' });
    expect(played.beginOne()).toMatchObject({ baseTree: 'half', deed: { role: 'builder', attempt: 1 } });
  });

  it('A builder whose session is lost is started again in the same attempt, from the files before it', () => {
    const played = playing();
    const lost = played.beginOne();
    played.record({ type: 'step-lost', stepId: lost.stepId, reason: 'host died', usage: null });
    expect(played.run.ledger.spent).toMatchObject({ sessions: 1, usd: 5 });
    expect(played.beginOne()).toMatchObject({ baseTree: 'base', deed: { role: 'builder', attempt: 1 } });
  });

  it('A task is exhausted after the last attempt, with the open items [B14]', () => {
    const played = playing([commandCriterion('works')], { budget: simulatedBudget({ attemptsPerTask: 1 }) });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.settle();
    expect(played.run.outcome).toEqual({
      outcome: 'exhausted',
      reason: 'the only attempt was used; the last one: works: exit 1',
    });
    expect(exitCodes.exhausted).toBe(3);
  });
});

describe('A reopened task', () => {
  it('A reopened task may stay unchanged: a check that failed by chance runs again without using up the attempts [X10]', () => {
    const played = playing([commandCriterion('works')]);
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    const acceptance = played.beginOne();
    expect(acceptance.deed).toMatchObject({ kind: 'check', purpose: 'acceptance' });
    played.endCheck(acceptance, { works: 'pass' });
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'completed' });
    expect(played.run.tip?.commit).toBe('c1');
  });
});

describe('The verifier', () => {
  it('A verifier that commits has no valid verdict, even though its commit was reverted [B7]', () => {
    const played = playing();
    const verifier = attempt(played, 'pass');
    const ref = `refs/heads/${played.run.config.repo.branch}`;
    played.record({
      type: 'ref-restored',
      stepId: verifier.stepId,
      ref,
      action: 'moved-back',
      keptAs: 'kept',
    });
    played.endSession(verifier, { endTree: 'work', signal: { kind: 'done' } });
    const again = played.beginOne();
    expect(again).toMatchObject({ deed: { role: 'verifier' } });
    expect(again.stepId).not.toBe(verifier.stepId);
  });

  it('The verifier starts when every check is green, also without the marker [B4]', () => {
    const played = playing();
    played.endSession(played.beginOne(), { endTree: 'work', signal: null });
    played.endCheck(played.beginOne(), {});
    expect(played.beginOne()).toMatchObject({
      baseTree: 'work',
      deed: { role: 'verifier', readOnly: true, resume: null, attempt: 1 },
    });
  });

  it('The verifier does not start while a check is red, even with the marker [B4]', () => {
    expect(session(attempt(playing(), 'fail')).role).toBe('builder');
  });

  it('Without any check, the verifier starts only after the marker [B4]', () => {
    const silent = playing([reviewerCriterion]);
    silent.endSession(silent.beginOne(), { endTree: 'work', signal: null });
    silent.endCheck(silent.beginOne(), {});
    expect(session(silent.beginOne()).role).toBe('builder');
    const done = playing([reviewerCriterion]);
    done.endSession(done.beginOne(), { endTree: 'work' });
    done.endCheck(done.beginOne(), {});
    expect(session(done.beginOne()).role).toBe('verifier');
  });

  it("Work is proven by the verifier's verdict together with our checks on that tree, and only by both [B5]", () => {
    const played = playing();
    played.endSession(attempt(played, 'pass'), {});
    expect(played.beginOne()).toMatchObject({ baseTree: 'work', deed: { kind: 'commit' } });
  });

  it('The verifier completes a run without checks as the one required criterion [B5]', () => {
    const played = playing([reviewerCriterion]);
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.endSession(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('The report of the verifier reaches the next builder in full [B6]', () => {
    const played = playing();
    const text = `Critical issues:\n${'- the parser drops the last line\n'.repeat(200)}`;
    played.endSession(attempt(played, 'pass'), { signal: { kind: 'report', text } });
    const next = session(played.beginOne());
    expect(next).toMatchObject({ role: 'builder', attempt: 2 });
    expect(next.prompt).toContain('must address fully');
    expect(next.prompt).toContain(text.trim());
  });

  it.each<[string, SessionEnding, { kind: 'done' }]>([
    ['crashed', { kind: 'crashed', detail: 'boom' }, { kind: 'done' }],
    ['ran out of time', { kind: 'timed-out', limit: 'wall' }, { kind: 'done' }],
  ])(
    'A verifier that %s is no failure of the builder, and is started again in a fresh session [B6]',
    (_title, ending, signal) => {
      const played = playing();
      played.record({ type: 'report-received', taskId: 'main', stepId: 's', text: 'the old report' });
      played.endSession(attempt(played, 'pass'), { ending, signal });
      expect(played.beginOne()).toMatchObject({
        deed: { role: 'verifier', attempt: 1, resume: null, ordinal: 2 },
      });
      expect(played.run.tasks.get('main')).toMatchObject({
        reviewers: { report: 'the old report', errors: 1 },
        failures: { count: 0 },
        attempt: 1,
      });
    },
  );

  it('A verifier that crashes each time is retried up to its limit, not for all sessions; then a person decides [B6]', () => {
    const played = playing(both, { policy: simulatedPolicy({ reviewerErrorsMax: 2 }) });
    const crashed = { ending: { kind: 'crashed', detail: 'boom' }, signal: null } as const;
    played.endSession(attempt(played, 'pass'), { ...crashed, log: 'verifier_001.jsonl' });
    played.endSession(played.beginOne(), { ...crashed, log: 'verifier_002.jsonl' });
    expect(played.settle()).toMatchObject({
      start: [],
      isTimed: false,
      waitingFor:
        "a person's verdict on verifier: the verifier gave no valid verdict 2 times in a row; the last reason: it crashed: boom; see its log verifier_002.jsonl",
    });
    const task = played.run.tasks.get('main');
    expect(task).toMatchObject({ failures: { count: 0 }, attempt: 1, reviewers: { report: null } });
    expect(task?.evidence.get('verifier')?.attempt?.verdict).toBe('unknown');
    expect(played.run.outcome).toBeNull();
    played.ask({ kind: 'reject', taskId: 'main', criterionId: 'verifier', tree: 'work', why: 'too slow' });
    // The next work is reviewed again.
    played.endSession(played.beginOne(), { endTree: 'other' });
    played.endCheck(played.beginOne(), {});
    expect(played.beginOne()).toMatchObject({ baseTree: 'other', deed: { role: 'verifier' } });
  });

  it('A verifier that changed a single file has no valid verdict, whatever it said [B7]', () => {
    for (const signal of [{ kind: 'done' }, { kind: 'report', text: 'bad' }] as const) {
      const played = playing();
      played.endSession(attempt(played, 'pass'), { signal, endTree: 'work-and-more' });
      expect(played.beginOne()).toMatchObject({ baseTree: 'work', deed: { role: 'verifier' } });
      const task = played.run.tasks.get('main');
      expect(task?.evidence.get('verifier')).toBeUndefined();
      expect(task).toMatchObject({ workTree: 'work', reviewers: { errors: 1, report: null } });
    }
  });

  it('A verifier whose files could not be read afterwards has no valid verdict [B7]', () => {
    const played = playing();
    played.endSession(attempt(played, 'pass'), { endTree: null });
    expect(session(played.beginOne()).role).toBe('verifier');
  });

  it('An interrupted verifier continues its conversation, and the one after it is fresh [B1] [Q5]', () => {
    const played = playing();
    played.endSession(attempt(played, 'pass'), {
      ending: { kind: 'interrupted', resumeId: 'abc' },
      signal: null,
    });
    const resumed = played.beginOne();
    expect(session(resumed)).toMatchObject({ role: 'verifier', resume: 'abc' });
    played.endSession(resumed, { signal: null });
    expect(session(played.beginOne())).toMatchObject({ role: 'verifier', resume: null });
  });

  it('A verifier whose client lost the interrupted conversation starts again, and nothing counts against it [Q5]', () => {
    const played = playing();
    const ending = { kind: 'interrupted', resumeId: 'abc' } as const;
    played.endSession(attempt(played, 'pass'), { ending, signal: null });
    const gone = { kind: 'failed', errorClass: 'conversation-gone', detail: 'no such thread' } as const;
    played.endSession(played.beginOne(), { ending: gone, signal: null });
    expect(session(played.beginOne())).toMatchObject({ role: 'verifier', resume: null });
    expect(played.run.tasks.get('main')?.reviewers.errors).toBe(0);
  });

  it('The verifier judges each new tree: a pass of an earlier tree proves nothing [B5]', () => {
    const played = playing();
    played.record({
      type: 'evidence-recorded',
      evidence: simulatedEvidence({ criterionId: 'verifier', command: null, tree: 'earlier' }),
    });
    expect(session(attempt(played, 'pass')).role).toBe('verifier');
  });
});
