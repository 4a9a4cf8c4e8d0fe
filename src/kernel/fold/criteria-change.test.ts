import { describe, expect, it } from 'vitest';
import { replay } from './apply.ts';
import type { Control } from '#kernel/events/control.ts';
import { isNarrowing } from './criteria-change.ts';
import type { CriteriaChange, Criterion, Pin, Verdict } from '#kernel/model/criterion.ts';
import { commandCriterion, playRun, simulatedPolicy, simulatedTask } from '#test/simulated/simulated-run.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import { criteria as preset } from '#policies/presets/criteria.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import type { PolicyConfig } from '#kernel/model/config.ts';

const a = commandCriterion('a', { text: 'a is done' });
const b = commandCriterion('b', { text: 'b is done' });

function begun(policy: Partial<PolicyConfig> = {}, criteria: readonly Criterion[] = [a, b]): PlayedRun {
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config: { policy: simulatedPolicy({ loops: defaultLoops, ...policy }) },
    policy: preset.policy,
  });
  played.prepare();
  played.endCheck(played.beginOne(), { a: 'fail', b: 'fail', c: 'fail' });
  return played;
}

function work(played: PlayedRun, tree: string, verdicts: { readonly [id: string]: Verdict }): void {
  const session = played.beginOne();
  played.endSession(session, { endTree: tree });
  played.endCheck(played.beginOne(), verdicts);
  played.settle();
}

function finish(played: PlayedRun): void {
  played.endCommit(played.beginOne(), 'c9');
  played.endCheck(played.beginOne(), {});
  played.settle();
}

function prepareAgain(played: PlayedRun, pins: readonly Pin[] = []): void {
  const { stepId, deed } = played.beginOne();
  expect(deed.kind).toBe('prepare');
  const result = {
    kind: 'prepare',
    baseCommit: 'c0',
    baseTree: 'base',
    branch: 'untildone/run',
    pins,
  } as const;
  played.record({ type: 'step-ended', stepId, result });
}

const change = (wanted: CriteriaChange, why = ''): Control => ({
  kind: 'change-criteria',
  taskId: 'main',
  change: wanted,
  why,
});

const criteriaOf = (played: PlayedRun): string[] =>
  (played.run.tasks.get('main')?.spec.criteria ?? []).map(({ id }) => id);

describe('A sentence without a check', () => {
  const origin = { from: 'the command line', check: 'none', confidence: null, why: 'vague' } as const;
  const vague: Criterion = { ...a, id: 'c', check: { kind: 'human', question: 'c?' }, origin };

  it.each([
    ['is refused where nobody is asked', { fallbackToManual: false }, ['a', 'b']],
    ['is for a person', {}, ['a', 'b', 'c']],
    [
      'is no matter where nothing is verified',
      { fallbackToManual: false, requireVerification: false },
      ['a', 'b', 'c'],
    ],
  ])('A sentence without a check %s, also when it is added later [K8]', (_title, loops, ids) => {
    const played = begun({ loops: { ...defaultLoops, ...loops } });
    work(played, 't1', { a: 'pass', b: 'fail' });
    played.ask(change({ kind: 'add', criterion: vague }));
    played.settle();
    expect(criteriaOf(played)).toEqual(ids);
  });
});

describe('Criteria that change during a run', () => {
  it('A new criterion needs no reason, is checked on the base, and its files are pinned', () => {
    const played = begun();
    work(played, 't1', { a: 'pass', b: 'fail' });
    played.ask(change({ kind: 'add', criterion: commandCriterion('c', { text: 'c is done' }) }));
    const pins = [{ path: 'check.sh', hash: 'h', why: 'a check' }];
    prepareAgain(played, pins);
    expect(played.run.base?.pins).toEqual(pins);
    const base = played.beginOne();
    expect(base).toMatchObject({
      baseTree: 'base',
      deed: { purpose: 'base', criteria: [{ criterionId: 'c' }] },
    });
    played.endCheck(base, { c: 'fail' });
    work(played, 't2', { a: 'pass', b: 'pass', c: 'fail' });
    work(played, 't3', { a: 'pass', b: 'pass', c: 'pass' });
    finish(played);
    expect(played.run.outcome).toEqual({
      outcome: 'completed',
      reason: 'every required criterion passed on a clean checkout',
      proof: 'checks',
    });
  });

  it('Only a person can skip a criterion, with a reason, and the outcome says who and why [K5]', () => {
    const played = begun();
    const silent = played.ask(change({ kind: 'skip', criterionId: 'b' }));
    played.settle();
    expect(played.run.controls.get(silent)).toBe('refused');
    played.ask(change({ kind: 'skip', criterionId: 'b' }, 'next release'));
    work(played, 't1', { a: 'pass', b: 'fail' });
    finish(played);
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.outcome?.reason).toContain('b was skipped by ann (next release)');
  });

  it('A run is not completed by skipping all its criteria [K5] [X3]', () => {
    const played = begun();
    played.ask(change({ kind: 'skip', criterionId: 'a' }, 'x'));
    played.ask(change({ kind: 'skip', criterionId: 'b' }, 'x'));
    const session = played.beginOne();
    played.endSession(session, { endTree: 't1' });
    played.endCheck(played.beginOne(), { a: 'fail', b: 'fail' });
    finish(played);
    expect(played.run.outcome?.outcome).toBe('unverified');
  });

  it('The results of a criterion are dropped when its check is replaced', () => {
    const played = begun();
    work(played, 't1', { a: 'pass', b: 'fail' });
    const weaker = { ...a, check: { kind: 'human', question: 'really?' } } as const;
    played.ask(change({ kind: 'replace', criterion: weaker }, 'no machine can tell'));
    played.settle();
    const task = played.run.tasks.get('main');
    expect(task?.evidence.has('a')).toBe(false);
    expect(task?.loop.passed.has('a')).toBe(false);
    expect(task?.changes).toMatchObject([{ isNarrowing: true, by: 'ann', was: a }]);
  });

  it.each([
    ['a task that is not there', { ...change({ kind: 'skip', criterionId: 'a' }, 'x'), taskId: 'other' }],
    ['an id that is taken', change({ kind: 'add', criterion: a })],
    ['one that is not there', change({ kind: 'remove', criterionId: 'zz' }, 'x')],
    ['an id that is no file name', change({ kind: 'add', criterion: { ...a, id: '../x' } })],
    ['no criterion at all', change({ kind: 'add' } as unknown as CriteriaChange)],
    [
      'a check that nobody knows',
      change({
        kind: 'add',
        criterion: { ...a, id: 'n', check: { kind: 'magic' } },
      } as unknown as CriteriaChange),
    ],
    [
      'a command without a command',
      change({
        kind: 'add',
        criterion: { ...a, id: 'n', check: { kind: 'command' } },
      } as unknown as CriteriaChange),
    ],
    [
      'a reviewer that the run does not have',
      change({ kind: 'add', criterion: { ...a, id: 'n', check: { kind: 'reviewer', role: 'pope' } } }),
    ],
    ['no kind', change({} as unknown as CriteriaChange, 'x')],
  ])('A change of criteria is refused: %s', (_, control) => {
    const played = begun();
    const id = played.ask(control);
    played.settle();
    expect(played.run.controls.get(id)).toBe('refused');
    expect(criteriaOf(played)).toEqual(['a', 'b']);
  });

  it('The result of an old check does not count for the new one, even while it runs', () => {
    const played = begun();
    const session = played.beginOne();
    played.endSession(session, { endTree: 't1' });
    const running = played.beginOne();
    const stricter = {
      ...a,
      check: { kind: 'command', run: 'check better', cwd: '', timeoutMs: 1 },
    } as const;
    played.ask(change({ kind: 'replace', criterion: stricter }, 'the old one was too weak'));
    played.settle();
    played.endCheck(running, { a: 'pass', b: 'pass' });
    expect(played.run.tasks.get('main')?.evidence.get('a')).toBeUndefined();
    prepareAgain(played);
    expect(played.beginOne().deed).toMatchObject({ purpose: 'base', criteria: [{ criterionId: 'a' }] });
  });

  it('A run with changed criteria is the same after a replay', () => {
    const played = begun();
    played.ask(change({ kind: 'skip', criterionId: 'b' }, 'x'));
    work(played, 't1', { a: 'pass', b: 'fail' });
    expect(replay(played.events)).toEqual(played.run);
  });
});

describe('Proposals of criteria', () => {
  const propose = (wanted: CriteriaChange): Control => ({
    kind: 'propose-criterion',
    taskId: 'main',
    change: wanted,
    why: 'it seems useful',
  });

  it('A proposal changes nothing until a person accepts it', () => {
    const played = begun();
    const c = commandCriterion('c', { text: 'c is done' });
    const id = played.ask(propose({ kind: 'add', criterion: c }));
    const other = played.ask(propose({ kind: 'skip', criterionId: 'a' }));
    played.settle();
    expect(criteriaOf(played)).toEqual(['a', 'b']);
    expect(played.run.tasks.get('main')?.skips.size).toBe(0);
    played.ask({ kind: 'accept-criterion', proposalId: id, why: '' });
    played.ask({ kind: 'reject-criterion', proposalId: other, why: 'no' });
    const late = played.ask({ kind: 'accept-criterion', proposalId: other, why: '' });
    played.settle();
    expect(criteriaOf(played)).toEqual(['a', 'b', 'c']);
    expect(played.run.controls.get(late)).toBe('refused');
    expect(played.run.proposals.get(other)?.settled).toMatchObject({ isAccepted: false, by: 'ann' });
  });

  it('A proposal of new criteria may be accepted by policy, and then proves nothing about the work [X7]', () => {
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [a] })],
      config: { policy: simulatedPolicy({ loops: defaultLoops, proposals: 'additions' }) },
      policy: preset.policy,
    });
    played.prepare();
    played.endCheck(played.beginOne(), { a: 'pass' });
    played.ask(propose({ kind: 'add', criterion: commandCriterion('easy', { text: 'a file is there' }) }));
    prepareAgain(played);
    played.endCheck(played.beginOne(), { easy: 'fail' });
    expect(criteriaOf(played)).toEqual(['a', 'easy']);
    work(played, 't1', { a: 'pass', easy: 'pass' });
    finish(played);
    expect(played.run.outcome?.outcome).toBe('unverified');
  });

  it('A proposal to remove or ease a criterion waits for a person also where additions are accepted by policy [K5]', () => {
    const played = begun({ proposals: 'additions' });
    played.ask(propose({ kind: 'remove', criterionId: 'a' }));
    played.ask(propose({ kind: 'replace', criterion: { ...b, required: false } }));
    played.settle();
    expect(played.run.tasks.get('main')?.spec.criteria).toEqual([a, b]);
    expect([...played.run.proposals.values()].map(({ settled }) => settled)).toEqual([null, null]);
  });

  it('A proposal to skip is accepted without a person if blockOnSkip is off, and the run is not completed [K5]', () => {
    const blocked = begun();
    blocked.ask(propose({ kind: 'skip', criterionId: 'b' }));
    blocked.settle();
    expect(blocked.run.tasks.get('main')?.skips.size).toBe(0);
    const played = begun({ loops: { ...defaultLoops, blockOnSkip: false } });
    played.ask(propose({ kind: 'skip', criterionId: 'b' }));
    work(played, 't1', { a: 'pass', b: 'fail' });
    finish(played);
    expect(played.run.outcome?.outcome).toBe('unverified');
    expect(played.run.outcome?.reason).toContain("skipped without a person's approval: b");
  });

  it('Proposals cannot fill the journal', () => {
    const played = begun();
    for (let n = 0; n < 60; n += 1)
      played.ask(propose({ kind: 'add', criterion: commandCriterion(`n${n}`) }));
    played.settle();
    expect(played.run.proposals.size).toBe(50);
    const long = begun();
    const why = 'x'.repeat(20_000);
    const skip: CriteriaChange = { kind: 'skip', criterionId: 'a' };
    long.ask({ kind: 'propose-criterion', taskId: 'main', change: skip, why });
    long.ask(propose({ kind: 'add', criterion: commandCriterion('c', { text: why }) }));
    long.settle();
    expect(long.run.proposals.size).toBe(0);
  });
});

describe('Weaker criteria', () => {
  it('A change counts as weaker unless it is an addition or a stricter rule', () => {
    expect(isNarrowing(null, { kind: 'add', criterion: a })).toBe(false);
    expect(isNarrowing(a, { kind: 'remove', criterionId: 'a' })).toBe(true);
    expect(isNarrowing(a, { kind: 'replace', criterion: { ...a, required: false } })).toBe(true);
    expect(isNarrowing(a, { kind: 'replace', criterion: { ...a, check: b.check } })).toBe(true);
    expect(isNarrowing(a, { kind: 'replace', criterion: { ...a, kind: 'entry' } })).toBe(true);
    const loose = { ...a, required: false };
    expect(isNarrowing(loose, { kind: 'replace', criterion: a })).toBe(false);
    expect(isNarrowing(loose, { kind: 'skip', criterionId: 'a' })).toBe(false);
  });
});

describe('Entry criteria', () => {
  const entry = commandCriterion('ready', { kind: 'entry', text: 'the database is there' });

  it('Entry criteria are checked before the first session: a red one blocks the run, and nothing is spent [X3]', () => {
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [entry, a] })],
      policy: preset.policy,
    });
    played.prepare();
    played.endCheck(played.beginOne(), { ready: 'fail', a: 'fail' });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('blocked');
    expect(played.run.outcome?.reason).toContain('ready: exit 1');
    expect(played.run.ledger.spent.sessions).toBe(0);
  });

  it('An unknown entry criterion blocks the run, and a green one lets it start and is never worked on', () => {
    const unsure = playRun({
      tasks: [simulatedTask('main', { criteria: [entry, a] })],
      policy: preset.policy,
    });
    unsure.prepare();
    unsure.endCheck(unsure.beginOne(), { ready: 'unknown', a: 'fail' });
    unsure.settle();
    expect(unsure.run.outcome?.outcome).toBe('blocked');
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [entry, a] })],
      policy: preset.policy,
    });
    played.prepare();
    played.endCheck(played.beginOne(), { ready: 'pass', a: 'fail' });
    work(played, 't1', { a: 'pass' });
    finish(played);
    expect(played.run.outcome?.outcome).toBe('completed');
  });
});
