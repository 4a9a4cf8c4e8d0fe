// The nine invariants as laws over every state of any walk. A failing walk is printed with its seed by fast-check.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildThenReview } from '#policies/looping/build-then-review.ts';
import type { PlayedRun } from '#testing/simulated-run.ts';
import { walk } from '#testing/simulated-walk.ts';
import { replay } from './apply.ts';
import { decide } from './decide.ts';
import type { Evidence } from './criterion.ts';
import type { Run, TaskState } from './run.ts';
import type { Step } from './step.ts';

const numbers = fc.array(fc.nat(10_000), { minLength: 20, maxLength: 120 });

function everywhere(law: (played: PlayedRun) => void, numRuns = 250): void {
  fc.assert(
    fc.property(numbers, (walked) => {
      walk(walked, law);
    }),
    { numRuns },
  );
}

it('walks to every outcome and past every kind of fact that a run can reach, so that no law is empty', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(numbers, (walked) => {
      const { run, events } = walk(walked);
      for (const { type } of events) seen.add(type);
      if (run.outcome !== null) seen.add(run.outcome.outcome);
    }),
    { numRuns: 2000, seed: 1 },
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
  it('holds for every conclusion that is drawn', () => {
    everywhere((played) => {
      const { run } = played;
      for (const fact of played.decide().record) {
        if (fact.type !== 'task-proven') continue;
        expect(provenBy(run, fact.taskId, fact.tree)).toBe(true);
      }
    });
  });

  it('holds for every commit that is started', () => {
    everywhere((played) => {
      const { run } = played;
      for (const step of played.decide().start) {
        if (step.deed.kind !== 'commit') continue;
        expect(provenBy(run, step.taskId ?? '', step.baseTree ?? '')).toBe(true);
        expect(step.deed.parent).toBe(run.tip?.commit);
      }
    });
  });
});

describe('2: a green check proves nothing that was green before', () => {
  it('completes only a changed tree, with a flip or a verdict of somebody who looked', () => {
    everywhere((played) => {
      const { run } = played;
      for (const fact of played.decide().record) {
        if (fact.type !== 'run-ended' || fact.outcome !== 'completed') continue;
        const landed = [...run.tasks.values()].filter((task) => task.status === 'landed');
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

describe('3 and 6: intent before effect; budgets are taken before each deed and only ever grow', () => {
  it('never promises or spends more sessions than there are, whatever is lost', () => {
    everywhere(({ run }) => {
      const { spent, reserved } = run.ledger;
      expect(spent.sessions + reserved.sessions).toBeLessThanOrEqual(run.budget.sessions);
      expect(Math.min(reserved.sessions, reserved.usd, reserved.tokens)).toBeGreaterThanOrEqual(-1e-9);
    });
  });

  it('never gives anything back, and counts every session that was started', () => {
    fc.assert(
      fc.property(numbers, (walked) => {
        let before = 0;
        let limit = 0;
        walk(walked, ({ run, events }) => {
          const started = events.filter(
            (event) => event.type === 'step-started' && event.step.deed.kind === 'session',
          ).length;
          expect(run.ledger.spent.sessions + run.ledger.reserved.sessions).toBe(started);
          expect(run.ledger.spent.usd).toBeGreaterThanOrEqual(before);
          expect(run.budget.sessions).toBeGreaterThanOrEqual(limit);
          before = run.ledger.spent.usd;
          limit = run.budget.sessions;
        });
      }),
      { numRuns: 150 },
    );
  });
});

describe('4: a step that was started is never decided again', () => {
  it('gives every step an id of its own', () => {
    everywhere((played) => {
      const { events } = played;
      const known = new Set(
        events.flatMap((event) => (event.type === 'step-started' ? [event.step.stepId] : [])),
      );
      const ids = played.decide().start.map((step) => step.stepId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => known.has(id))).toEqual([]);
    });
  });

  it('starts nothing for a task that is worked on, base checks aside, and never two commits', () => {
    everywhere((played) => {
      const { run } = played;
      const { start } = played.decide();
      const all = [...run.running.values(), ...start];
      for (const step of start.filter((one) => one.taskId !== null && !isBaseCheck(one))) {
        const others = all.filter((one) => one !== step && one.taskId === step.taskId && !isBaseCheck(one));
        expect(others).toEqual([]);
      }
      expect(all.filter((step) => step.deed.kind === 'commit').length).toBeLessThanOrEqual(1);
    });
  });

  it('never works on more tasks at once than it may', () => {
    everywhere((played) => {
      const { run } = played;
      const sessions = [...run.running.values(), ...played.decide().start].filter(
        (step) => step.deed.kind === 'session',
      );
      expect(sessions.length).toBeLessThanOrEqual(run.config.policy.parallel);
    });
  });
});

describe('5: one driver at a time', () => {
  it('refuses an epoch that does not follow', () => {
    everywhere(({ run, events }) => {
      const epochs = events.flatMap((event) => (event.type === 'driver-started' ? [event.epoch] : []));
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
      const late = { at: run.now, type: 'driver-started', epoch: run.epoch, driver: 'old' } as const;
      expect(() => replay([...events, late])).toThrow(/does not follow/);
    }, 40);
  });
});

describe('7: every run ends, or is parked on a named condition', () => {
  it('always has something to record, to start, to wait for or to name', () => {
    everywhere((played) => {
      const { run } = played;
      const { record, start, isTimed, waitingFor } = played.decide();
      const goesOn = record.length > 0 || start.length > 0 || run.running.size > 0 || isTimed;
      expect(goesOn || run.outcome !== null || (waitingFor ?? '') !== '').toBe(true);
    });
  });

  it('starts nothing while it is paused, stopping, in trouble or over', () => {
    everywhere((played) => {
      const { run } = played;
      const isHeld = run.paused ?? run.stopping ?? run.trouble ?? run.outcome;
      if (isHeld === null) return;
      expect(played.decide().start).toEqual([]);
    });
  });
});

describe('8: progress means that a criterion passes, not that something was said', () => {
  it('decides the same whatever the builder of red work said', () => {
    everywhere(({ run, events }) => {
      const last = events.at(-1);
      if (last?.type !== 'step-ended' || last.result.kind !== 'check') return;
      for (const task of run.tasks.values()) {
        if (task.build === null || task.evidence.get('works')?.attempt?.verdict !== 'fail') continue;
        const said = replay(events);
        const other = said.tasks.get(task.spec.id);
        if (other?.build == null) continue;
        other.build = { ...other.build, signal: { kind: 'failed', reason: 'no' } };
        if (run.config.knownRed === 'all') continue;
        expect(decide(said, buildThenReview)).toEqual(decide(run, buildThenReview));
      }
    });
  });
});

describe('9: completed needs an acceptance that this very driver has seen', () => {
  it('holds for every completed run', () => {
    everywhere((played) => {
      const { run, events } = played;
      for (const fact of played.decide().record) {
        if (fact.type !== 'run-ended' || fact.outcome !== 'completed') continue;
        const takeover = events.findLastIndex((event) => event.type === 'driver-started');
        const seen = events
          .slice(takeover)
          .some((event) => event.type === 'step-ended' && event.stepId === run.acceptance?.stepId);
        expect(seen).toBe(true);
        expect(run.acceptance?.tree).toBe(run.tip?.tree);
      }
    });
  });
});

describe('the fold', () => {
  it('gives the same run one by one and all at once', () => {
    fc.assert(
      fc.property(numbers, (walked) => {
        const { run, events } = walk(walked);
        expect(replay(events)).toEqual(run);
        expect(replay(JSON.parse(JSON.stringify(events)) as typeof events)).toEqual(run);
      }),
      { numRuns: 250 },
    );
  });

  it('never lets time go back', () => {
    fc.assert(
      fc.property(numbers, (walked) => {
        let before = 0;
        walk(walked, ({ run }) => {
          expect(run.now).toBeGreaterThanOrEqual(before);
          before = run.now;
        });
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the ready tasks, the active ones and the count as they would be found by looking at every task', () => {
    everywhere(({ run }) => {
      const tasks = [...run.tasks.values()];
      expect(run.ready).toEqual(tasks.filter((task) => task.status === 'ready'));
      const isActive = ({ status }: TaskState) => ['active', 'needs-input', 'proven'].includes(status);
      expect(new Set(run.active)).toEqual(new Set(tasks.filter(isActive)));
      expect(run.unfinished).toBe(tasks.filter((task) => !isOver(task)).length);
      for (const task of tasks.filter((one) => one.status === 'waiting' || one.status === 'ready')) {
        const unmet = task.spec.dependsOn.filter((id) => !hasLanded(run, id));
        if (task.attempt > 0) continue;
        expect(task.status === 'ready').toBe(unmet.length === 0);
      }
    });
  });
});

describe('deciding', () => {
  it('is pure: the same run gives the same decision and stays as it was', () => {
    everywhere((played) => {
      const { run, events } = played;
      expect(played.decide()).toEqual(played.decide());
      expect(run).toEqual(replay(events));
    }, 60);
  });
});

/** The definition again, in other words than the kernel's own. */
function provenBy(run: Run, taskId: string, tree: string): boolean {
  const task = run.tasks.get(taskId);
  if (task === undefined || task.checked?.tree !== tree || task.checked.treeAfter !== tree) return false;
  return task.spec.criteria.every((criterion) => {
    if (!criterion.required || criterion.when === 'acceptance') return true;
    const seen: Evidence | undefined = task.evidence.get(criterion.id)?.attempt;
    const isForgiven =
      run.config.knownRed === 'all' && task.evidence.get(criterion.id)?.base?.verdict === 'fail';
    return isForgiven || (seen?.tree === tree && seen.verdict === 'pass');
  });
}

function isBaseCheck({ deed }: Step): boolean {
  return deed.kind === 'check' && deed.purpose === 'base';
}

function isOver({ status }: TaskState): boolean {
  return status === 'landed' || status === 'failed' || status === 'skipped';
}

function hasLanded(run: Run, id: string): boolean {
  const status = run.tasks.get(id)?.status;
  return status === 'landed' || status === 'skipped';
}
