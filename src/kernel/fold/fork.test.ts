import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, replay } from './apply.ts';
import { decide } from '#kernel/decide/decide.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from './run.ts';
import type { Step } from '#kernel/model/step.ts';
import { buildThenReview } from '#policies/loops/build-then-review.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { playRun, reviewerCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import { walk } from '#test/simulated/simulated-walk.ts';
import type { ForkOrder } from './fork.ts';
import { forkedEntries, forkPoints, nearestPoints, treesInUse } from './fork.ts';

const later = 1_000_000;

function orderOf(event: number, known: Partial<ForkOrder> = {}): ForkOrder {
  const from = { runId: 'run', event };
  return { from, runId: 'fork', branch: 'untildone/fork', at: later, by: 'ann', budget: {}, ...known };
}

/** Every event is an append of its own. */
function eachEvent({ length }: readonly Event[]): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

function forkOf({ events }: Pick<PlayedRun, 'events'>, known: Partial<ForkOrder> = {}): Run {
  const event = known.from?.event ?? events.length;
  return replay(forkedEntries(events, eachEvent(events), orderOf(event, known)).flat());
}

interface TakenUp {
  /** The events that the driver recorded without another step. */
  readonly recorded: readonly string[];
  /** The steps that it starts after its checkout is prepared. */
  readonly start: readonly Step[];
  readonly isPrepared: boolean;
}

/** Lets a driver take the run over, prepare its checkout, and conclude what it can without another step. */
function takenUp(run: Run): TakenUp {
  const at = later;
  apply(run, { at, type: 'driver-started', epoch: run.epoch + 1, driver: 'two' });
  const recorded: string[] = [];
  let isPrepared = false;
  for (let rounds = 0; rounds < 100; rounds += 1) {
    const { record, start } = decide(run, buildThenReview);
    recorded.push(...record.map(({ type }) => type));
    for (const fact of record) apply(run, { at, ...fact });
    const [step] = start;
    if (record.length === 0 && (step?.deed.kind !== 'prepare' || isPrepared))
      return { recorded, start, isPrepared };
    if (record.length > 0 || step === undefined) continue;
    isPrepared = true;
    apply(run, { at, type: 'step-started', step });
    apply(run, { at, type: 'step-ended', stepId: step.stepId, result: prepared });
  }
  throw new Error('conclusions without end');
}

const prepared = {
  kind: 'prepare',
  baseCommit: 'c0',
  baseTree: 'base',
  branch: 'untildone/fork',
  pins: [],
} as const;

describe('Points at which a run can be forked [D5]', () => {
  it('A fork begins only where no step runs, the run is not over and no conclusion is cut in half', () => {
    const reopened = countReached('a run that was over and is open again', { floor: 0.01 });
    const over = countReached('a run that is over', { floor: 0.2 });
    const begun = countReached('a fork after a step', { floor: 0.5 });
    assertProperty(
      fc.property(fc.array(fc.nat(10_000), { minLength: 20, maxLength: 120 }), (walked) => {
        const ends: number[] = [];
        const quiet: number[] = [];
        const look = ({ run, events }: PlayedRun): void => {
          if (ends.at(-1) === events.length) return;
          ends.push(events.length);
          if (run.running.size === 0 && run.outcome === null) quiet.push(events.length);
        };
        const played = walk(walked, look);
        look(played);
        expect(forkPoints(played.events, ends)).toEqual(quiet);
        if (played.run.outcome !== null) over.mark();
        if (played.run.reopenings.length > 0) reopened.mark();
        for (const event of quiet) {
          const then = replay(played.events.slice(0, event));
          if (then.stepsStarted > 0) begun.mark();
          judgeFork(played.events, ends, then, quiet);
        }
      }),
      { numRuns: 200, reaches: [reopened, over, begun, cut] },
    );
  });

  const cut = countReached('a session that goes on from an interrupted one', { floor: 0.005 });
  const isInterrupted = ({ tasks }: Run): boolean =>
    [...tasks.values()].some(({ dialogue }) => dialogue.resume !== null);

  function judgeFork(events: readonly Event[], ends: readonly number[], then: Run, quiet: number[]): void {
    const event = then.events;
    const entries = forkedEntries(events, ends, orderOf(event));
    const run = replay(entries.flat());
    expect([run.id, run.config.repo.branch, run.events]).toEqual(['fork', 'untildone/fork', event + 1]);
    expect(run.base?.branch ?? 'untildone/fork').toBe('untildone/fork');
    expect([run.tip, run.stepsStarted, run.ordinals]).toEqual([then.tip, then.stepsStarted, then.ordinals]);
    expect(statusesOf(run)).toEqual(statusesOf(then));
    expect([run.ledger.spent.sessions, run.ledger.reserved.sessions, run.activeMs]).toEqual([0, 0, 0]);
    // Its own events can be forked again, at the same numbers.
    let count = 0;
    const own = entries.map(({ length }) => (count += length));
    expect(forkPoints(entries.flat(), own)).toEqual([...quiet.filter((one) => one <= event), event + 1]);
    const known = new Set(
      events.slice(0, event).flatMap((one) => (one.type === 'step-started' ? [one.step.stepId] : [])),
    );
    const { recorded, start } = takenUp(run);
    expect(recorded).not.toContain('acceptance-passed');
    expect(run.outcome?.outcome).not.toBe('completed');
    for (const { stepId, deed } of start) {
      expect(known.has(stepId)).toBe(false);
      if (deed.kind !== 'session') continue;
      expect(deed.resume).toBeNull();
      if (isInterrupted(then)) cut.mark();
    }
  }

  function statusesOf({ tasks }: Run) {
    return [...tasks].map(([id, { status, attempt, workTree, commit }]) => ({
      id,
      status: status.is,
      attempt,
      workTree,
      commit,
    }));
  }

  it('The nearest legal events are named around an illegal one', () => {
    expect(nearestPoints([2, 5, 9], 7)).toEqual({ before: 5, after: 9 });
    expect(nearestPoints([2, 5, 9], 1)).toEqual({ before: null, after: 2 });
    expect(nearestPoints([2, 5, 9], 10)).toEqual({ before: 9, after: null });
    expect(nearestPoints([], 1)).toEqual({ before: null, after: null });
  });
});

describe('The inherited state of a fork [D5]', () => {
  function interrupted(): PlayedRun {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.pass(60_000);
    played.endSession(played.beginOne(), {
      ending: { kind: 'interrupted', resumeId: 'conversation-1' },
      endTree: 'half',
      usage: { usd: 3, tokens: 500 },
    });
    return played;
  }

  it('A fork inherits the work, but not money, time, budget raises or conversations', () => {
    const played = interrupted();
    played.ask({ kind: 'resume', budget: { sessions: 99 } });
    played.settle();
    expect(played.run).toMatchObject({ budget: { sessions: 99 }, activeMs: 60_000 });
    const run = forkOf(played);
    expect(run.forked).toEqual({ runId: 'run', event: played.events.length, by: 'ann', at: later, steps: 3 });
    expect(run.ledger.spent).toEqual({ sessions: 0, usd: 0, tokens: 0 });
    expect(run.activeMs).toBe(0);
    expect(run.sessions).toEqual([]);
    expect(run.budget).toEqual(run.config.budget);
    expect(run.tasks.get('main')).toMatchObject({ workTree: 'half', attempt: 1, dialogue: { resume: null } });
    const { start, isPrepared } = takenUp(run);
    expect(isPrepared).toBe(true);
    expect(start).toMatchObject([{ baseTree: 'half', deed: { role: 'builder', attempt: 1, resume: null } }]);
  });

  it('The conversation of an action loop stays with the old run', () => {
    const played = interrupted();
    const run = replay(played.events);
    const { actions } = run.tasks.get('main') ?? {};
    if (actions === undefined) throw new Error('the task is there');
    actions.conversation = { agent: { name: 'simulated', model: null }, id: 'conversation-2' };
    apply(run, { at: later, type: 'run-forked', from: 'run', event: run.events, by: 'ann' });
    expect(actions.conversation).toBeNull();
  });

  it('A raised limit is the greater of both, and attempts are counted again from zero', () => {
    const played = playRun({ tasks: [simulatedTask('main')], config: {} });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      played.endSession(played.beginOne(), { endTree: `tree-${attempt}` });
      played.endCheck(played.beginOne(), { works: 'fail' });
      played.settle();
    }
    const run = forkOf(played, { budget: { usd: 50, sessions: 1 } });
    expect(run.budget).toMatchObject({ usd: 50, sessions: 40, attemptsPerTask: 5 });
    expect(run.tasks.get('main')).toMatchObject({ attempt: 4, forgiven: 4 });
  });

  it('A pending control, a pause and an acceptance of the old run do not count in the fork', () => {
    const played = interrupted();
    played.ask({ kind: 'pause', why: 'lunch' });
    played.settle();
    played.ask({ kind: 'stop', now: true, why: 'enough' });
    expect(played.run.paused).not.toBeNull();
    const run = forkOf(played);
    expect(run).toMatchObject({
      paused: null,
      stopping: null,
      pending: [],
      acceptance: null,
      approval: null,
    });
    expect(run.controls.get('control-2')).toBe('refused');
    expect(takenUp(run)).toMatchObject({ recorded: [], start: [{ deed: { role: 'builder' } }] });
  });

  it('A fork of an accepted run completes only after an acceptance of its own', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'good' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('completed');
    const event = played.events.findIndex(({ type }) => type === 'run-ended');
    expect(played.events[event - 1]?.type).toBe('acceptance-passed');
    const run = forkOf(played, { from: { runId: 'run', event } });
    expect(run).toMatchObject({ outcome: null, acceptance: null, tip: { commit: 'c1', tree: 'good' } });
    const { recorded, start } = takenUp(run);
    expect(recorded).toEqual([]);
    expect(start).toMatchObject([{ baseTree: 'good', deed: { kind: 'check', purpose: 'acceptance' } }]);
  });

  it('A reviewer that was interrupted begins a new conversation in the fork', () => {
    const played = playRun({
      tasks: [simulatedTask('main', { criteria: [...simulatedTask('main').criteria, reviewerCriterion] })],
    });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'good' });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endSession(played.beginOne(), {
      ending: { kind: 'interrupted', resumeId: 'review-1' },
      signal: null,
    });
    const run = forkOf(played);
    const { start } = takenUp(run);
    expect(start.map(({ deed }) => deed)).toMatchObject([
      { kind: 'session', role: 'verifier', resume: null },
    ]);
  });

  it('Names of the old branch and of its refs become those of the fork, and nothing else changes', () => {
    const played = interrupted();
    played.record(
      {
        type: 'ref-restored',
        stepId: '0003',
        ref: 'refs/heads/untildone/run',
        keptAs: 'refs/untildone/run/x',
        action: 'restored',
      },
      { type: 'workspace-restored', stepId: '0003', keptAs: 'refs/untildone/run/y', reason: 'changed' },
    );
    const entries = forkedEntries(
      played.events,
      eachEvent(played.events),
      orderOf(played.events.length),
    ).flat();
    expect(entries.slice(-3, -1)).toMatchObject([
      { ref: 'refs/heads/untildone/fork', keptAs: 'refs/untildone/fork/x' },
      { keptAs: 'refs/untildone/fork/y' },
    ]);
    expect(entries[0]).toMatchObject({
      at: later,
      forkedFrom: { runId: 'run', event: played.events.length },
    });
    const others = ({ type }: Event): boolean =>
      !['run-created', 'ref-restored', 'workspace-restored'].includes(type);
    const plain = (events: readonly Event[]): Event[] =>
      events.filter(others).filter((event) => event.type !== 'step-ended' || event.result.kind !== 'prepare');
    expect(plain(entries.slice(0, -1))).toEqual(plain(played.events));
    expect(treesInUse(replay(entries))).toEqual(['base', 'half']);
  });
});
