import { describe, expect, it } from 'vitest';
import type { Criterion, Verdict } from '#kernel/model/criterion.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { criteria as preset } from '#policies/presets/criteria.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { defaultLoops } from './loop-settings.ts';
import type { LoopSettings } from '#kernel/model/config.ts';

type Verdicts = { readonly [criterionId: string]: Verdict };

const red: Verdicts = { a: 'fail', b: 'fail', c: 'fail', d: 'fail' };

function ask(id: string, known: Partial<Criterion> = {}): Criterion {
  return commandCriterion(id, { text: `${id} is done`, ...known });
}

function person(id: string): Criterion {
  return ask(id, { check: { kind: 'human', question: `Is ${id} good?` } });
}

interface Played {
  readonly played: PlayedRun;
  /** One session and the checks after it; returns the criterion that it was about. */
  work(tree: string, verdicts: Verdicts, said?: 'done' | 'continue'): string | undefined;
  end(): string | undefined;
}

function play(
  criteria: readonly Criterion[],
  loops: Partial<LoopSettings> = {},
  base: Verdicts = red,
): Played {
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config: {
      policy: simulatedPolicy({ loops: { ...defaultLoops, ...loops } }),
      budget: simulatedBudget({ attemptsPerTask: preset.limits.attemptsMax }),
    },
    policy: preset.policy,
  });
  played.prepare();
  const step = played.begin()[0];
  if (step?.deed.kind === 'check' && step.deed.purpose === 'base') played.endCheck(step, base);
  else throw new Error('the base is looked at first');
  return {
    played,
    work(tree, verdicts, said = 'done') {
      const session = played.beginOne();
      if (session.deed.kind !== 'session') throw new Error(`no session but ${session.stepId}`);
      played.endSession(session, { endTree: tree, signal: { kind: said } });
      const check = played.beginOne();
      played.endCheck(check, verdicts);
      played.settle();
      return session.deed.criterionId;
    },
    end() {
      played.settle();
      return played.run.outcome?.outcome;
    },
  };
}

/** Lands and accepts the proven work. */
function land({ played }: Played, verdicts: Verdicts): void {
  const commit = played.beginOne();
  expect(commit.deed).toMatchObject({ kind: 'commit' });
  played.endCommit(commit, `c-${commit.stepId}`);
  played.endCheck(played.beginOne(), verdicts);
}

const factsOf = ({ played }: Played, type: string): object[] =>
  played.events.filter((event) => event.type === type);

describe('The loop over criteria', () => {
  it('The loop works on one criterion after the other, and completes when all pass on one tree [K1] [K3]', () => {
    const one = play([ask('a'), ask('b')]);
    expect(one.work('t1', { ...red, a: 'pass' })).toBe('a');
    expect(one.end()).toBeUndefined();
    expect(one.work('t2', { a: 'pass', b: 'pass' })).toBe('b');
    land(one, {});
    expect(one.end()).toBe('completed');
  });

  it('A builder that claims to be done is not believed: the criterion is tried again [K3]', () => {
    const one = play([ask('a'), ask('b')]);
    expect(one.work('t1', red)).toBe('a');
    expect(one.work('t2', red)).toBe('a');
    expect(one.end()).toBeUndefined();
    expect(one.played.run.tasks.get('main')?.loop.failures.get('a')?.count).toBe(2);
  });

  it('A passing criterion costs no session, unless it was green before and says more than its check', () => {
    const one = play([ask('a'), ask('b'), ask('c')], {}, { a: 'fail', b: 'fail', c: 'pass' });
    expect(one.work('t1', { a: 'pass', b: 'pass', c: 'pass' })).toBe('a');
    expect(one.work('t2', { a: 'pass', b: 'pass', c: 'pass' })).toBe('c');
    land(one, {});
    expect(one.end()).toBe('completed');
  });

  it('A green gate of the repository costs no session', () => {
    const gate = { kind: 'gate', gate: 'tests', run: 'npm test', cwd: '', timeoutMs: 1000 } as const;
    const one = play([ask('a'), ask('c', { check: gate })], {}, { a: 'fail', c: 'pass' });
    expect(one.work('t1', { a: 'pass', c: 'pass' })).toBe('a');
    land(one, {});
    expect(one.end()).toBe('completed');
  });

  it('A plain check that is green from the start is a guard, and the whole is worked on once [X7]', () => {
    const plain = commandCriterion('works', { text: '`check works` passes' });
    const one = play([plain], {}, { works: 'pass' });
    expect(one.work('base', { works: 'pass' })).toBeUndefined();
    expect(factsOf(one, 'attempt-failed')).toHaveLength(1);
    expect(one.work('t1', { works: 'pass' })).toBeUndefined();
    land(one, {});
    expect(one.end()).toBe('unverified');
  });
});

describe('Limits of the loop', () => {
  it('Retries are counted per criterion: five failures of one do not release another [K4]', () => {
    const one = play([ask('a'), ask('b')]);
    for (let n = 1; n <= 5; n += 1) expect(one.work(`a${n}`, red)).toBe('a');
    for (let n = 1; n <= 5; n += 1) expect(one.work(`b${n}`, red)).toBe('b');
    expect(one.end()).toBe('exhausted');
    expect(one.played.run.outcome?.reason).toMatch(/a failed 5 times.*b failed 5 times/);
  });

  it("The outcome quotes the check's own words about a criterion that stayed red [K4]", () => {
    const one = play([ask('a')], { maxRetries: 1 });
    const { played } = one;
    const session = played.beginOne();
    played.endSession(session, { endTree: 't1', signal: { kind: 'done' } });
    played.endCheck(played.beginOne(), red, {
      reason: 'exit 1',
      tail: 'AssertionError: expected 3 to be 4\n',
    });
    played.settle();
    expect(one.end()).toBe('exhausted');
    expect(played.run.outcome?.reason).toBe(
      'a failed 1 times; the last reason: exit 1: AssertionError: expected 3 to be 4',
    );
  });

  it('The loop works on the other criteria when one is used up, and ends as exhausted, never completed [K3] [K4]', () => {
    const one = play([ask('a'), ask('b')], { maxRetries: 2 });
    one.work('a1', red);
    one.work('a2', red);
    expect(one.work('b1', { ...red, b: 'pass' })).toBe('b');
    expect(one.end()).toBe('exhausted');
    expect(exitCodes[one.played.run.outcome?.outcome ?? 'completed']).toBe(3);
  });

  it('Passes over all criteria are counted: a criterion that breaks another one ends at the last pass [K4] [K9]', () => {
    const one = play([ask('a'), ask('b')], { maxIterations: 3 });
    for (let pass = 1; pass <= 3; pass += 1) {
      expect(one.work(`a${pass}`, { a: 'pass', b: 'fail' })).toBe('a');
      expect(one.work(`b${pass}`, { a: 'fail', b: 'pass' })).toBe('b');
    }
    expect(one.end()).toBe('exhausted');
    expect(one.played.run.outcome?.reason).toContain('all 3 passes');
    expect(factsOf(one, 'iteration-started')).toHaveLength(3);
    expect(factsOf(one, 'criterion-failed')).toEqual([]);
  });
});

describe('Regressions', () => {
  it('A criterion that passed before and fails now is reopened in the next pass [K9]', () => {
    const one = play([ask('a'), ask('b')]);
    one.work('t1', { a: 'pass', b: 'fail' });
    one.work('t2', { a: 'fail', b: 'pass' });
    expect(factsOf(one, 'criterion-reopened')).toMatchObject([{ criterionId: 'a' }]);
    expect(one.work('t3', { a: 'pass', b: 'pass' })).toBe('a');
    land(one, {});
    expect(one.end()).toBe('completed');
  });

  it('An expensive check runs only for its own criterion and at the end, where it can still reopen it [K9]', () => {
    const one = play([ask('a'), ask('b')]);
    const task = one.played.run.tasks.get('main');
    const seen = task?.evidence.get('a');
    if (seen?.base === undefined) throw new Error('a was looked at');
    seen.base = { ...seen.base, durationMs: 600_000 };
    one.work('t1', { a: 'pass', b: 'fail' });
    const session = one.played.beginOne();
    one.played.endSession(session, { endTree: 't2' });
    const cheap = one.played.beginOne();
    expect(cheap.deed).toMatchObject({ criteria: [{ criterionId: 'b' }] });
    one.played.endCheck(cheap, { b: 'pass' });
    const sweep = one.played.beginOne();
    expect(sweep.deed).toMatchObject({ purpose: 'attempt', criteria: [{ criterionId: 'a' }] });
    one.played.endCheck(sweep, { a: 'fail' });
    expect(one.work('t3', { a: 'pass', b: 'pass' })).toBe('a');
    land(one, {});
    expect(one.end()).toBe('completed');
  });

  it('Work that a clean checkout refuses is worked on again, and counted [K9] [X10]', () => {
    const one = play([ask('a')], { maxRetries: 2 });
    one.work('t1', { a: 'pass' });
    land(one, { a: 'fail' });
    expect(one.work('t2', { a: 'pass' })).toBe('a');
    land(one, { a: 'fail' });
    expect(one.end()).toBe('exhausted');
  });
});

describe('Settings of the loop, all of them in force [K2]', () => {
  it('With enabled off, one session works on everything, and no second one starts', () => {
    const one = play([ask('a'), ask('b')], { enabled: false });
    expect(one.work('t1', { a: 'pass', b: 'fail' })).toBeUndefined();
    expect(one.end()).toBe('failed');
    const good = play([ask('a'), ask('b')], { enabled: false });
    good.work('t1', { a: 'pass', b: 'pass' });
    land(good, {});
    expect(good.end()).toBe('completed');
  });

  it.each(['enforced', 'blockExitUntilComplete'] as const)(
    'With %s off, a builder that reports done with open criteria may stop, and the run fails',
    (name) => {
      const one = play([ask('a'), ask('b')], { [name]: false });
      one.work('t1', red);
      expect(one.end()).toBe('failed');
      expect(one.played.run.outcome?.reason).toContain('the builder left while a is open');
      const silent = play([ask('a')], { [name]: false });
      silent.work('t1', red, 'continue');
      expect(silent.end()).toBeUndefined();
    },
  );

  it('With requireVerification off, a run ends as unverified, never as completed', () => {
    const one = play([ask('a'), person('b')], { requireVerification: false });
    expect(one.work('t1', {})).toBe('a');
    expect(one.work('t2', {})).toBe('b');
    land(one, { a: 'pass' });
    expect(one.end()).toBe('unverified');
    expect(one.played.run.outcome?.reason).toContain('loops.requireVerification');
  });

  it('With commitEvery, a checkpoint follows that many criteria, which lands and proves nothing [K10]', () => {
    const one = play([ask('a'), ask('b'), ask('c')], { commitEvery: 2 });
    one.work('t1', { ...red, a: 'pass' });
    one.work('t2', { ...red, a: 'pass', b: 'pass' });
    const checkpoint = one.played.beginOne();
    expect(checkpoint.deed).toMatchObject({ kind: 'commit', checkpoint: ['a', 'b'], parent: 'c0' });
    const { deed } = checkpoint;
    expect(deed.kind === 'commit' ? deed.message : '').toMatch(/Not proven[^]*Untildone-Checkpoint: a b/);
    expect(deed.kind === 'commit' ? deed.message : '').not.toContain('Untildone-Task');
    one.played.endCommit(checkpoint, 'c1');
    expect(one.played.run.tasks.get('main')).toMatchObject({ status: { is: 'active' }, commit: null });
    expect(one.played.run.tip).toEqual({ commit: 'c1', tree: 't2' });
    one.work('t3', { a: 'pass', b: 'pass', c: 'pass' });
    const commit = one.played.beginOne();
    expect(commit.deed).toMatchObject({ kind: 'commit', parent: 'c1' });
    expect(factsOf(one, 'task-proven')).toHaveLength(1);
  });

  it('With commitEvery, a run that ends after a checkpoint is not completed by it [K10] [K3]', () => {
    const one = play([ask('a'), ask('b')], { commitEvery: 1, maxRetries: 1 });
    one.work('t1', { a: 'pass', b: 'fail' });
    one.played.endCommit(one.played.beginOne(), 'c1');
    one.work('t2', { a: 'pass', b: 'fail' });
    expect(one.end()).toBe('exhausted');
    expect(one.played.run.tasks.get('main')?.loop.checkpoints).toEqual(['c1']);
  });

  it('With commitEvery, files that a check changed get no checkpoint [K10]', () => {
    const one = play([ask('a'), ask('b')], { commitEvery: 1 });
    const session = one.played.beginOne();
    one.played.endSession(session, { endTree: 't1' });
    const check = one.played.beginOne();
    one.played.endCheck(check, { a: 'pass', b: 'fail' }, { treeAfter: 'other' });
    expect(one.played.beginOne().deed.kind).toBe('session');
  });

  it('With pauseBetweenScenarios, the run parks after a criterion, and resume continues with the next [K10]', () => {
    const one = play([ask('a'), ask('b')], { pauseBetweenScenarios: true });
    one.work('t1', { a: 'pass', b: 'fail' });
    const parked = one.played.settle();
    expect(parked.start).toEqual([]);
    expect(parked.waitingFor).toContain('a is done, and b is next');
    one.played.ask({ kind: 'resume' });
    expect(one.work('t2', { a: 'pass', b: 'pass' })).toBe('b');
    land(one, {});
    expect(one.end()).toBe('completed');
  });

  it('With fallbackToManual on, a person decides; with it off, the run fails before anything is spent [K8]', () => {
    const origin = { from: 'x', check: 'none', confidence: null, why: 'unclear' } as const;
    const vague = { ...person('b'), origin };
    const off = play([ask('a'), vague], { fallbackToManual: false });
    expect(off.end()).toBe('failed');
    expect(off.played.run.ledger.spent.sessions).toBe(0);
    const on = play([ask('a'), vague]);
    on.work('t1', { a: 'pass' });
    expect(on.work('t2', { a: 'pass' })).toBe('b');
    expect(on.played.settle().waitingFor).toContain('Is b good?');
    on.played.ask({ kind: 'approve', taskId: 'main', criterionId: 'b', tree: 't2' });
    land(on, {});
    expect(on.end()).toBe('completed');
  });
});

describe('Criteria that only a person decides', () => {
  it('A missing decision never counts as a yes, and a rejection is worked on with its reason [K8]', () => {
    const one = play([ask('a'), person('b')]);
    one.work('t1', { a: 'pass' });
    one.work('t2', { a: 'pass' });
    expect(one.end()).toBeUndefined();
    one.played.ask({ kind: 'reject', taskId: 'main', criterionId: 'b', tree: 't2', why: 'too small' });
    const session = one.played.beginOne();
    expect(session.deed).toMatchObject({ kind: 'session', criterionId: 'b' });
    expect(session.deed.kind === 'session' ? session.deed.prompt : '').toContain('too small');
  });
});
