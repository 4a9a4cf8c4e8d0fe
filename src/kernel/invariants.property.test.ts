// The nine invariants as laws over every state of any walk. A failing walk is printed with its seed by fast-check.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildThenReview } from '#policies/loops/build-then-review.ts';
import type { ReachedCase } from '#test/assert-property.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { walk } from '#test/simulated/simulated-walk.ts';
import { replay } from '#kernel/fold/apply.ts';
import { decide } from '#kernel/decide/decide.ts';
import { isApprovedAsWhole } from '#kernel/proof/proof-kind.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';
import { buildOf, endBuild } from '#kernel/fold/work.ts';

const numbers = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 120 });

/** `reached` is the case that the law is about: a walk that never reaches it shows nothing. */
function everywhere(
  reached: ReachedCase | readonly [ReachedCase, ...ReachedCase[]],
  law: (played: PlayedRun) => void,
  numRuns = 250,
): void {
  assertProperty(
    fc.property(numbers, (walked) => {
      walk(walked, law);
    }),
    { numRuns, reaches: 'name' in reached ? [reached] : reached },
  );
}

it('The random walks reach every outcome and every kind of fact, so that no law is empty', () => {
  const seen = new Set<string>();
  const ended = countReached('a walk to the end of a run', { floor: 0.2 });
  assertProperty(
    fc.property(numbers, (walked) => {
      const { run, events } = walk(walked);
      for (const { type } of events) seen.add(type);
      if (run.outcome === null) return;
      ended.mark();
      seen.add(run.outcome.outcome);
    }),
    { numRuns: 1500, seed: 1, reaches: [ended] },
  );
  const outcomes = ['completed', 'failed', 'exhausted', 'blocked', 'stopped', 'unverified'];
  const facts = [
    'task-proven',
    'task-reopened',
    'task-skipped',
    'reviewer-failed',
    'step-lost',
    'control-refused',
    'run-reopened',
  ];
  expect([...outcomes, ...facts].filter((name) => !seen.has(name))).toEqual([]);
});

describe('1: no task is proven without passing evidence for every required criterion on that very tree', () => {
  it('Every conclusion of proof has passing evidence for every required criterion on that tree', () => {
    const proven = countReached('a task is proven', { floor: 0.1 });
    everywhere(proven, (played) => {
      const { run } = played;
      for (const fact of played.decide().record) {
        if (fact.type !== 'task-proven') continue;
        proven.mark();
        expect(provenBy(run, fact.taskId, fact.tree)).toBe(true);
      }
    });
  });

  it('Every commit that starts has passing evidence for every required criterion on that tree', () => {
    const committed = countReached('a commit is started', { floor: 0.1 });
    everywhere(committed, (played) => {
      const { run } = played;
      for (const step of played.decide().start) {
        if (step.deed.kind !== 'commit') continue;
        committed.mark();
        expect(provenBy(run, step.taskId ?? '', step.baseTree ?? '')).toBe(true);
        expect(step.deed.parent).toBe(run.tip?.commit);
      }
    });
  });
});

describe('2: a green check proves nothing that was green before', () => {
  it('A run completes only on a changed tree, with a flip or a verdict', () => {
    const completed = countReached('a run completes', { floor: 0.02 });
    everywhere(completed, (played) => {
      const { run } = played;
      for (const fact of played.decide().record) {
        if (fact.type !== 'run-ended' || fact.outcome !== 'completed') continue;
        completed.mark();
        // A person may approve anything.
        if (run.approval !== null) continue;
        const landed = [...run.tasks.values()].filter((task) => task.status.is === 'landed');
        const seen = landed.flatMap((task) => [...task.evidence.values()]);
        const flips = seen.filter(
          ({ base, acceptance }) => base?.verdict !== 'pass' && acceptance?.verdict === 'pass',
        );
        const looked = seen.filter(({ attempt }) => attempt?.command === null && attempt.verdict === 'pass');
        expect(flips.length + looked.length).toBeGreaterThan(0);
        expect(run.tip?.tree).not.toBe(run.base?.tree);
      }
    });
  });
});

describe("2b: a reviewer's pass alone proves nothing", () => {
  it('A run completes only if every worked task has more than a review, or the run accepts reviews [X3]', () => {
    const proven = countReached('a run completes that does not accept a review alone', { floor: 0.02 });
    const reviewed = countReached('a run ends with nothing but reviews', { floor: 0.002 });
    const approved = countReached('a person approves a run that had ended', { floor: 0.001 });
    everywhere(
      [proven, reviewed, approved],
      (played) => {
        const { run } = played;
        for (const fact of played.decide().record) {
          if (fact.type !== 'run-ended') continue;
          if (fact.outcome === 'unverified' && fact.proof === 'review') reviewed.mark();
          if (fact.outcome !== 'completed') continue;
          expect(fact.proof).toBeDefined();
          const isApproved = isApprovedAsWhole(run);
          if (isApproved) approved.mark();
          expect(!isApproved || fact.proof === 'person').toBe(true);
          expect(fact.reason.includes('; approved by ')).toBe(isApproved);
          if (isApproved || run.config.acceptReview === true) continue;
          proven.mark();
          expect(fact.proof).not.toBe('review');
          const worked = [...run.tasks.values()].filter(
            ({ status, attempt }) => status.is === 'landed' && attempt > 0,
          );
          expect(worked.every(isMoreThanReviewed)).toBe(true);
        }
      },
      1500,
    );
  });
});

it('An approval of an earlier tree is not named in the outcome of later work [X3]', () => {
  // In this walk a run is approved, and a person then adds a task whose work is proven by its check.
  const walked = [1411, 2199, 9143, 171, 5472, 5267, 7613];
  const at = [0, 5, 6, 13, 17, 21, 45];
  const numbered = Array.from({ length: 46 }, (_, index) => walked[at.indexOf(index)] ?? 0);
  const reasons: string[] = [];
  walk(numbered, (played) => {
    for (const fact of played.decide().record)
      if (fact.type === 'run-ended' && fact.outcome === 'completed' && played.run.approval !== null)
        reasons.push(`${fact.proof ?? 'none'}: ${fact.reason}`);
  });
  expect(reasons).toEqual(['checks: every required criterion passed on a clean checkout; skipped: a']);
});

describe('3 and 6: intent before effect; budgets are reserved before each operation and only ever grow', () => {
  it('A run never reserves or spends more sessions than there are, whatever is lost', () => {
    const spentOut = countReached('every session of the budget is promised or spent', { floor: 0.01 });
    everywhere(spentOut, ({ run }) => {
      const { spent, reserved } = run.ledger;
      if (spent.sessions + reserved.sessions === run.budget.sessions) spentOut.mark();
      expect(spent.sessions + reserved.sessions).toBeLessThanOrEqual(run.budget.sessions);
      expect(Math.min(reserved.sessions, reserved.usd, reserved.tokens)).toBeGreaterThanOrEqual(-1e-9);
    });
  });

  it('A run never refunds a session, and counts every session that was started', () => {
    const several = countReached('several sessions', { floor: 0.3 });
    assertProperty(
      fc.property(numbers, (walked) => {
        let before = 0;
        let limit = 0;
        walk(walked, ({ run, events }) => {
          const started = events.filter(
            (event) => event.type === 'step-started' && event.step.deed.kind === 'session',
          ).length;
          if (started > 1) several.mark();
          expect(run.ledger.spent.sessions + run.ledger.reserved.sessions).toBe(started);
          expect(run.ledger.spent.usd).toBeGreaterThanOrEqual(before);
          expect(run.budget.sessions).toBeGreaterThanOrEqual(limit);
          before = run.ledger.spent.usd;
          limit = run.budget.sessions;
        });
      }),
      { numRuns: 150, reaches: [several] },
    );
  });
});

describe('4: a step that was started is never decided again', () => {
  it('Every step has a unique id', () => {
    const again = countReached('a step starts after another one was lost', { floor: 0.1 });
    everywhere(again, (played) => {
      const { events } = played;
      const known = new Set(
        events.flatMap((event) => (event.type === 'step-started' ? [event.step.stepId] : [])),
      );
      const ids = played.decide().start.map((step) => step.stepId);
      if (ids.length > 0 && events.some(({ type }) => type === 'step-lost')) again.mark();
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => known.has(id))).toEqual([]);
    });
  });

  it('No step starts for a task in work, except base checks, and never two commits', () => {
    const working = countReached('a step of a task starts while another one runs', { floor: 0.05 });
    everywhere(working, (played) => {
      const { run } = played;
      const { start } = played.decide();
      const all = [...run.running.values(), ...start];
      if (run.running.size > 0 && start.some(({ taskId }) => taskId !== null)) working.mark();
      for (const step of start.filter((one) => one.taskId !== null && !isBaseCheck(one))) {
        const others = all.filter((one) => one !== step && one.taskId === step.taskId && !isBaseCheck(one));
        expect(others).toEqual([]);
      }
      expect(all.filter((step) => step.deed.kind === 'commit').length).toBeLessThanOrEqual(1);
    });
  });

  it('A run never works on more tasks at once than its limit', () => {
    const full = countReached('as many sessions as may run', { floor: 0.3 });
    everywhere(full, (played) => {
      const { run } = played;
      const sessions = [...run.running.values(), ...played.decide().start].filter(
        (step) => step.deed.kind === 'session',
      );
      if (sessions.length === run.config.policy.parallel) full.mark();
      expect(sessions.length).toBeLessThanOrEqual(run.config.policy.parallel);
    });
  });
});

describe('5: one driver at a time', () => {
  it('An epoch that does not follow is refused', () => {
    const taken = countReached('a second driver takes over', { floor: 0.2 });
    everywhere(
      taken,
      ({ run, events }) => {
        const epochs = events.flatMap((event) => (event.type === 'driver-started' ? [event.epoch] : []));
        if (epochs.length > 1) taken.mark();
        expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
        const late = { at: run.now, type: 'driver-started', epoch: run.epoch, driver: 'old' } as const;
        expect(() => replay([...events, late])).toThrow(/does not follow/);
      },
      40,
    );
  });
});

describe('7: every run ends, or is parked on a named condition', () => {
  it('A run always has something to record, to start, to wait for or to name', () => {
    const waiting = countReached('a run that waits for a person', { floor: 0.1 });
    everywhere(waiting, (played) => {
      const { run } = played;
      const { record, start, isTimed, waitingFor } = played.decide();
      const goesOn = record.length > 0 || start.length > 0 || run.running.size > 0 || isTimed;
      if (!goesOn && run.outcome === null) waiting.mark();
      expect(goesOn || run.outcome !== null || (waitingFor ?? '') !== '').toBe(true);
    });
  });

  it('A run starts nothing while it is paused, stopping, in trouble or over', () => {
    const held = countReached('a run that is held, with a task that could go on', { floor: 0.1 });
    everywhere(held, (played) => {
      const { run } = played;
      const isHeld = run.paused ?? run.stopping ?? run.trouble ?? run.outcome;
      if (isHeld === null) return;
      if (run.queue.unfinished > 0) held.mark();
      expect(played.decide().start).toEqual([]);
    });
  });
});

describe('8: progress means that a criterion passes, not that an agent claims it', () => {
  it('The decision about red work is the same whatever its builder said', () => {
    const red = countReached('red work', { floor: 0.03 });
    everywhere(red, ({ run, events }) => {
      const last = events.at(-1);
      if (last?.type !== 'step-ended' || last.result.kind !== 'check') return;
      for (const task of run.tasks.values()) {
        if (buildOf(task) === null || task.evidence.get('works')?.attempt?.verdict !== 'fail') continue;
        const said = replay(events);
        const other = said.tasks.get(task.spec.id);
        const build = other === undefined ? null : buildOf(other);
        if (other === undefined || build === null) continue;
        endBuild(other, { ...build, signal: { kind: 'failed', reason: 'no' } });
        if (run.config.knownRed === 'all') continue;
        red.mark();
        expect(decide(said, buildThenReview)).toEqual(decide(run, buildThenReview));
      }
    });
  });
});

describe('9: completed needs an acceptance that this very driver has seen', () => {
  it('Every completed run has an acceptance by its last driver', () => {
    const completed = countReached('a run completes', { floor: 0.02 });
    const taken = countReached('a driver takes over from one that saw the acceptance', { floor: 0.005 });
    everywhere(
      [completed, taken],
      (played) => {
        const { run, events } = played;
        if (run.acceptance !== null && run.acceptance.epoch < run.epoch) taken.mark();
        for (const fact of played.decide().record) {
          if (fact.type !== 'run-ended' || fact.outcome !== 'completed') continue;
          completed.mark();
          const takeover = events.findLastIndex((event) => event.type === 'driver-started');
          const seen = events
            .slice(takeover)
            .some((event) => event.type === 'step-ended' && event.stepId === run.acceptance?.stepId);
          expect(seen).toBe(true);
          expect(run.acceptance?.tree).toBe(run.tip?.tree);
        }
      },
      500,
    );
  });
});

describe('The fold', () => {
  it('The fold of events one by one and all at once gives the same run', () => {
    const landed = countReached('a task that landed', { floor: 0.1 });
    assertProperty(
      fc.property(numbers, (walked) => {
        const { run, events } = walk(walked);
        if ([...run.tasks.values()].some(({ status }) => status.is === 'landed')) landed.mark();
        expect(replay(events)).toEqual(run);
        expect(replay(JSON.parse(JSON.stringify(events)) as typeof events)).toEqual(run);
      }),
      { numRuns: 250, reaches: [landed] },
    );
  });

  it('The time of a folded run never goes back', () => {
    const passing = countReached('time that passes', { floor: 0.3 });
    assertProperty(
      fc.property(numbers, (walked) => {
        let before = 0;
        walk(walked, ({ run }) => {
          if (before > 0 && run.now > before) passing.mark();
          expect(run.now).toBeGreaterThanOrEqual(before);
          before = run.now;
        });
      }),
      { numRuns: 50, reaches: [passing] },
    );
  });

  it('The ready tasks, active tasks and count of a run equal those of a full scan of its tasks', () => {
    const dependent = countReached('a task that waits for another one', { floor: 0.1 });
    everywhere(dependent, ({ run }) => {
      const tasks = [...run.tasks.values()];
      if (tasks.some(({ status }) => status.is === 'waiting')) dependent.mark();
      expect(run.queue.ready).toEqual(tasks.filter((task) => task.status.is === 'ready'));
      const isActive = ({ status }: TaskState) => ['active', 'needs-input', 'proven'].includes(status.is);
      expect(new Set(run.queue.active)).toEqual(new Set(tasks.filter(isActive)));
      expect(run.queue.unfinished).toBe(tasks.filter((task) => !isOver(task)).length);
      for (const task of tasks.filter((one) => one.status.is === 'waiting' || one.status.is === 'ready')) {
        const unmet = task.spec.dependsOn.filter((id) => !hasLanded(run, id));
        if (task.attempt > 0) continue;
        expect(task.status.is === 'ready').toBe(unmet.length === 0);
      }
    });
  });
});

describe('The decision function', () => {
  it('The decision is pure: the same run gives the same decision and stays unchanged', () => {
    const deciding = countReached('a state in which something is decided', { floor: 0.9 });
    everywhere(
      deciding,
      (played) => {
        const { run, events } = played;
        const decision = played.decide();
        if (decision.record.length + decision.start.length > 0) deciding.mark();
        expect(decision).toEqual(played.decide());
        expect(run).toEqual(replay(events));
      },
      60,
    );
  });
});

/** An implementation of the definition that is independent of the kernel's. */
function provenBy(run: Run, taskId: string, tree: string): boolean {
  const task = run.tasks.get(taskId);
  if (
    task === undefined ||
    task.inspection.checked?.tree !== tree ||
    task.inspection.checked.treeAfter !== tree
  )
    return false;
  return task.spec.criteria.every((criterion) => {
    if (!criterion.required || criterion.when === 'acceptance') return true;
    const seen: Evidence | undefined = task.evidence.get(criterion.id)?.attempt;
    const isForgiven =
      run.config.knownRed === 'all' && task.evidence.get(criterion.id)?.base?.verdict === 'fail';
    return isForgiven || (seen?.tree === tree && seen.verdict === 'pass');
  });
}

/** Independent of the kernel's implementation: a flip, added tests, or a person's approval. */
function isMoreThanReviewed({ evidence }: TaskState): boolean {
  return [...evidence.values()].some(({ base, attempt, acceptance }) => {
    const flipped = base?.verdict !== 'pass' && acceptance?.verdict === 'pass';
    const rests = acceptance?.calibration?.some((one) => one.restsOnAddedFiles === true) === true;
    const added = acceptance?.calibration?.some(({ kind }) => kind === 'added-tests') === true;
    const said = attempt?.stepId === 'person' && attempt.verdict === 'pass';
    return (flipped && !rests) || added || said;
  });
}

function isBaseCheck({ deed }: Step): boolean {
  return deed.kind === 'check' && deed.purpose === 'base';
}

function isOver({ status }: TaskState): boolean {
  return status.is === 'landed' || status.is === 'failed' || status.is === 'skipped';
}

function hasLanded(run: Run, id: string): boolean {
  const status = run.tasks.get(id)?.status.is;
  return status === 'landed' || status === 'skipped';
}
