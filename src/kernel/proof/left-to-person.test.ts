import { describe, expect, it } from 'vitest';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';
import { attentionText } from '#views/questions/attention-text.ts';
import { criteria as criteriaPreset } from '#policies/presets/criteria.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedEvidence,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { BrokenPin, Criterion, Evidence } from '#kernel/model/criterion.ts';
import type { Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';

const pin: BrokenPin = {
  path: 'a.test.js',
  change: 'changed',
  why: 'a test that was there at the start',
  content: '100644 abc',
  weakening: [],
};
const accept = { kind: 'accept', path: pin.path, content: '100644 abc', why: 'it was wrong' } as const;
const oneAttempt = { budget: simulatedBudget({ attemptsPerTask: 1 }) };
const loops: Partial<RunConfig> = {
  policy: simulatedPolicy({ loops: { ...defaultLoops, maxRetries: 1 } }),
};

/** One run of the checks on the work, with its evidence. */
function endCheckWith(
  played: PlayedRun,
  step: Step,
  seen: Partial<Evidence>,
  pins: readonly BrokenPin[] = [],
): void {
  if (step.deed.kind !== 'check') throw new Error(`${step.stepId} is no check`);
  const { stepId, baseTree } = step;
  const tree = baseTree ?? '';
  const { purpose, place } = step.deed;
  for (const { path, change, why, content = '', weakening = [] } of pins) {
    const where = { stepId, tree, taskId: 'main', session: 'builder_001', isAllowed: false };
    played.record({
      type: 'tampering-seen',
      tampering: { path, change, why, content, weakening, ...where },
    });
  }
  played.record(
    { type: 'evidence-recorded', evidence: simulatedEvidence({ stepId, purpose, place, tree, ...seen }) },
    { type: 'step-ended', stepId, result: { kind: 'check', treeAfter: tree, brokenPins: pins } },
  );
}

interface Scene {
  readonly config?: Partial<RunConfig>;
  readonly criteria?: readonly Criterion[];
  readonly isLoop?: boolean;
  readonly tree?: string;
  readonly seen?: Partial<Evidence>;
  readonly pins?: readonly BrokenPin[];
}

/** One attempt, the only one of the budget. */
function worked(scene: Scene): PlayedRun {
  const { config = oneAttempt, criteria = [commandCriterion('works')], tree = 'work' } = scene;
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config,
    ...(scene.isLoop === true ? { policy: criteriaPreset.policy } : {}),
  });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: tree });
  endCheckWith(played, played.beginOne(), scene.seen ?? {}, scene.pins);
  return played;
}

/** Plays the remaining steps, which start no session. */
function completes(played: PlayedRun, seen: Partial<Evidence> = {}): void {
  const commit = played.beginOne();
  expect(commit).toMatchObject({ baseTree: 'work', deed: { kind: 'commit' } });
  played.endCommit(commit, 'c1');
  endCheckWith(played, played.beginOne(), seen);
  played.settle();
  expect(played.run.outcome?.outcome).toBe('completed');
  expect(played.run.sessions).toHaveLength(1);
}

const unknown = { verdict: 'unknown', reason: 'it executed no test' } as const;

describe("Work that lacks only a person's decision", () => {
  it.each([
    ['attempts', { pins: [pin] }],
    ['retries of a criterion', { config: loops, isLoop: true, pins: [pin] }],
    ['sessions', { config: { budget: simulatedBudget({ sessions: 1 }) }, pins: [pin] }],
  ])(
    "Work that lacks only a person's decision parks when the %s are used up, and completes without another session [X3] [X8]",
    (_limit, scene) => {
      const played = worked(scene);
      const { waitingFor, start } = played.settle();
      expect(start).toEqual([]);
      expect(waitingFor).toMatch(/a person's decision is missing: a\.test\.js was changed/);
      expect(played.run.outcome).toBeNull();
      const [item] = attentionItems(played.run);
      if (item === undefined) throw new Error('a person is asked');
      const screen = attentionText(played.run, item, { change: null, isDriven: false });
      expect(screen).toContain('untildone accept a.test.js --run run --why "…"');
      expect(screen).toContain('untildone resume run');
      played.takeOver();
      played.ask(accept);
      completes(played);
    },
  );

  it("Work that lacks only a person's decision parks when the time is used up, and needs only our checks to complete [X1] [X3]", () => {
    const played = worked({ config: { budget: simulatedBudget({ activeMs: 1000 }) }, pins: [pin] });
    played.pass(2000);
    expect(played.settle().waitingFor).toMatch(/a person's decision is missing/);
    played.ask(accept);
    completes(played);
  });

  it('No session starts after the time is used up, whatever a person decides [X1]', () => {
    const criteria = [commandCriterion('works'), reviewerCriterion];
    const played = worked({ config: { budget: simulatedBudget({ activeMs: 1000 }) }, criteria, pins: [pin] });
    played.pass(2000);
    played.settle();
    played.ask(accept);
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
  });

  it('A person decides a criterion that no check could decide; an approval counts for that tree [K8]', () => {
    const played = worked({ seen: unknown });
    expect(played.settle().waitingFor).toMatch(/works: it executed no test/);
    const [item] = attentionItems(played.run);
    if (item === undefined) throw new Error('a person is asked');
    expect(commandsOf(played.run, item)).toContain(
      'untildone approve run --task main --criterion works --tree work',
    );
    played.ask({ kind: 'approve', taskId: 'main', criterionId: 'works', tree: 'work' });
    completes(played, unknown);
  });

  it('A parked run ends as exhausted when the person rejects [X3]', () => {
    const played = worked({ seen: unknown });
    played.settle();
    played.ask({ kind: 'reject', taskId: 'main', criterionId: 'works', tree: 'work', why: 'no' });
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
  });

  it('A parked run continues with new attempts when a person raises the budget', () => {
    const played = worked({ pins: [pin] });
    played.settle();
    played.ask({ kind: 'resume', budget: { attemptsPerTask: 2 } });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it.each([
    ['something fails as well', { seen: { verdict: 'fail', reason: 'exit 1' }, pins: [pin] }],
    ['nothing was done', { tree: 'base', seen: unknown }],
  ] as const)('A run is exhausted, and does not wait for a person, when %s [X3] [B14]', (_what, scene) => {
    const played = worked(scene);
    played.settle();
    expect(played.run.outcome).toMatchObject({ outcome: 'exhausted' });
  });
});

describe('A changed pinned file as the only problem', () => {
  const manyAttempts: Partial<RunConfig> = { budget: simulatedBudget({ attemptsPerTask: 5 }) };

  /** One attempt that changed the file, and the result of the check with the original file. */
  function changed(
    verdict: 'pass' | 'fail',
    {
      more = [],
      isLoop = false,
      goal = {},
      oldPins = 'base',
    }: { more?: Task[]; isLoop?: boolean; goal?: Partial<Task>; oldPins?: string } = {},
  ): PlayedRun {
    const criteria = [commandCriterion('works')];
    const played = playRun({
      tasks: [simulatedTask('main', { criteria, ...goal }), ...more],
      config: manyAttempts,
      ...(isLoop ? { policy: criteriaPreset.policy } : {}),
    });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    attempt(played, verdict, { oldPins });
    return played;
  }

  function attempt(
    played: PlayedRun,
    verdict: 'pass' | 'fail',
    { endTree = 'work', oldPins = 'base' }: { endTree?: string; oldPins?: string } = {},
  ): void {
    played.endSession(played.beginOne(), { endTree });
    const step = played.beginOne();
    const { stepId } = step;
    const pinned = { stepId, purpose: 'pinned', place: 'clean', tree: oldPins, verdict } as const;
    played.record({ type: 'evidence-recorded', evidence: simulatedEvidence(pinned) });
    endCheckWith(played, step, {}, [pin]);
  }

  it.each([
    ['an attempt', false],
    ['a session for a criterion', true],
  ])(
    'A person decides about a changed pinned file after %s, if the check also passes with the original file [X8]',
    (_, isLoop) => {
      const played = changed('pass', { isLoop });
      const { waitingFor, start } = played.settle();
      expect(start).toEqual([]);
      expect(waitingFor).toBe(
        "only a person's decision is missing: a.test.js was changed, and it is pinned (a test that was there at the start)",
      );
      played.ask(accept);
      completes(played);
    },
  );

  it('A person decides after one session if the work changed other files too, though the check fails with the original file [X8]', () => {
    const played = changed('fail', { oldPins: 'work without the test' });
    expect(played.settle().waitingFor).toMatch(/^only a person's decision is missing/);
    expect(played.run.sessions).toHaveLength(1);
  });

  it('The builder gets one more session if only the pinned file changed and the check fails with the original [X8]', () => {
    const played = changed('fail');
    expect(played.begin()[0]?.deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it('A person decides after one session if the goal names the file, though the check fails with the original [X8]', () => {
    const goal = { title: 'rename things', description: 'Fix the typo in `src/a.test.js`.' };
    const played = changed('fail', { goal });
    expect(played.settle().waitingFor).toMatch(/^only a person's decision is missing/);
    expect(played.run.sessions).toHaveLength(1);
  });

  it('A person decides after a second session that left the pinned file changed, also with other content [X8]', () => {
    const played = changed('fail');
    attempt(played, 'fail', { endTree: 'other work' });
    expect(played.settle().waitingFor).toMatch(/^only a person's decision is missing/);
    expect(played.run.sessions).toHaveLength(2);
  });

  it('A retry rejects a changed pinned file: the next builder gets a session, and the attempts are reset [X8]', () => {
    const played = changed('pass');
    played.settle();
    played.ask({ kind: 'retry', taskId: 'main' });
    expect(played.beginOne().deed).toMatchObject({ role: 'builder', attempt: 2 });
  });

  it('A changed pinned file does not make other tasks wait [X8]', () => {
    const played = changed('pass', {
      more: [simulatedTask('other', { criteria: [commandCriterion('other')] })],
    });
    const step = played.beginOne();
    expect(step).toMatchObject({ taskId: 'other', deed: { kind: 'check', purpose: 'base' } });
  });

  it('One screen shows the result of the check with both versions of a pinned file, and every option [X8]', () => {
    const played = changed('pass');
    played.settle();
    const [item] = attentionItems(played.run);
    if (item === undefined) throw new Error('a person is asked');
    const screen = attentionText(played.run, item, { change: null, isDriven: false });
    expect(screen).toMatch(/with the changed files: pass; with the pinned files as they were: pass, /);
    expect(screen).toContain('untildone retry main --run run');
    expect(screen).toContain('--may-change a.test.js');
  });
});
