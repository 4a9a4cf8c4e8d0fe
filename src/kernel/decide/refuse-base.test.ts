import { describe, expect, it } from 'vitest';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion, RedCause } from '#kernel/model/criterion.ts';
import { exitCodeOf } from '#kernel/model/outcome.ts';

const missing: RedCause = { kind: 'missing-program', text: 'there is no program "nmp" on PATH' };

/** Plays a run up to the end of the checks on the base. */
function evidenceOnBase(
  cause: RedCause,
  { criterion = {}, config = {} }: { criterion?: Partial<Criterion>; config?: Partial<RunConfig> } = {},
): PlayedRun {
  const criteria = [commandCriterion('works', criterion)];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' }, { cause });
  played.settle();
  return played;
}

describe('A check that no work can turn green', () => {
  it.each(['missing-program', 'missing-package'] as const)(
    'A check with a %s ends the run before its first session, with the exit code of a refusal',
    (kind) => {
      const { run } = evidenceOnBase({ ...missing, kind });
      expect(run.outcome).toEqual({
        outcome: 'blocked',
        reason: 'the check works cannot pass here: there is no program "nmp" on PATH',
        refused: 'preflight',
      });
      expect(run.ledger.spent.sessions + run.ledger.reserved.sessions).toBe(0);
      expect(exitCodeOf(run.outcome)).toBe(2);
    },
  );

  it('A run that is refused for a missing program is refused again after a replay of the journal', () => {
    const played = evidenceOnBase(missing);
    expect(replay(played.events).outcome).toEqual(played.run.outcome);
  });

  it.each([
    ['a suspicion', { ...missing, kind: 'suspicious' as const }, {}],
    ['a check that need not pass', missing, { criterion: { required: false } }],
    ['a check that may stay red', missing, { config: { knownRed: ['works'] } }],
    ['a run where every check may stay red', missing, { config: { knownRed: 'all' as const } }],
  ])('A missing program does not stop the run for %s', (_, cause, change) => {
    const played = evidenceOnBase(cause, change);
    expect(played.run.outcome).toBeNull();
    expect(played.beginOne().deed.kind).toBe('session');
  });

  it('A missing program does not stop a run that a person reopens', () => {
    const played = evidenceOnBase(missing);
    played.ask({ kind: 'retry', taskId: 'main' });
    played.settle();
    expect(played.run.outcome).toBeNull();
    played.prepare();
    expect(played.beginOne().deed.kind).toBe('session');
  });

  it('A missing program fails a later task before a session of it is paid, but not after a person retries it', () => {
    const criteria = [commandCriterion('works')];
    const second = simulatedTask('two', { criteria, dependsOn: ['one'] });
    const played = playRun({ tasks: [simulatedTask('one', { criteria }), second] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' }, { cause: missing });
    played.settle();
    const task = played.run.tasks.get('two');
    expect(task).toMatchObject({ status: { is: 'failed', as: 'blocked' }, attempt: 0 });
    expect(task?.status).toMatchObject({
      reason: 'the check works cannot pass here: there is no program "nmp" on PATH',
    });
    expect(played.run.ledger.spent.sessions).toBe(1);
    played.ask({ kind: 'retry', taskId: 'two' });
    played.settle();
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' }, { cause: missing });
    expect(played.beginOne().deed.kind).toBe('session');
  });
});
