// Planted faults in planning: each must be noticed, or the simulation proves nothing about plans.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as Milestones from '#policies/planning/milestones.ts';
import type * as Decide from '#kernel/decide/decide.ts';
import { breakApply, firstViolation } from './teeth.ts';

const noticed = (): Promise<string> => firstViolation({}, 'campaign');

describe('Faults in planning', () => {
  afterEach(() => {
    vi.doUnmock('#kernel/fold/apply.ts');
    vi.doUnmock('#kernel/decide/decide.ts');
    vi.doUnmock('#policies/planning/milestones.ts');
  });

  it('A new plan that forgets completed work is noticed [C6]', async () => {
    breakApply((run, event) => {
      if (event.type !== 'plan-adopted') return;
      for (const [id, { status }] of run.tasks) if (status.is === 'landed') run.tasks.delete(id);
    });
    expect(await noticed()).toMatch(/is done, and plan \d+ knows nothing of it/);
  });

  it('A milestone that is crossed twice is noticed [C7]', async () => {
    vi.doMock('#policies/planning/milestones.ts', async (original) => {
      const actual = await original<typeof Milestones>();
      const newlyCrossed: typeof Milestones.newlyCrossed = ({ plan, tasks }, planning) =>
        actual.newlyCrossed({ tasks, plan: { ...plan, crossed: [] } }, planning);
      return { ...actual, newlyCrossed };
    });
    expect(await noticed()).toMatch(/% is crossed twice/);
  });

  it('A second drift check for one landed task is noticed [C7]', async () => {
    breakApply((run) => {
      run.plan.reflectedAt = 0;
    });
    expect(await noticed()).toMatch(/two drift checks for one landed task/);
  });

  it('A drift check after the last task is noticed [C7]', async () => {
    vi.doMock('#policies/planning/milestones.ts', async (original) => {
      const actual = await original<typeof Milestones>();
      const newlyCrossed: typeof Milestones.newlyCrossed = ({ plan, tasks }, planning) =>
        actual.newlyCrossed({ tasks, plan: { ...plan, gone: plan.gone - 1 } }, planning);
      return { ...actual, newlyCrossed };
    });
    expect(await noticed()).toMatch(
      // The fault counts one landed task too few, so an early drift check may be missed first.
      /a drift check after the last task|begins, and no drift check was made at \d+ %/,
    );
  });

  it('A drift check that is left out is noticed [C7]', async () => {
    vi.doMock('#policies/planning/milestones.ts', async (original) => {
      const actual = await original<typeof Milestones>();
      return { ...actual, newlyCrossed: () => [] };
    });
    expect(await noticed()).toMatch(/begins, and no drift check was made at \d+ %/);
  });

  it('A plan that is paid for again after a kill is noticed [C5]', async () => {
    breakApply((run, event) => {
      if (event.type === 'driver-started') run.plan.answer = null;
    });
    expect(await noticed()).toMatch(/paid again/);
  });

  it('Work by a plan in which drift was found is noticed [C7]', async () => {
    breakApply((run) => {
      run.plan.astray = null;
    });
    expect(await noticed()).toMatch(/drift was found/);
  });

  it('A plan that no person approved is noticed [C1]', async () => {
    breakApply((run, event) => {
      if (event.type !== 'plan-proposed' || run.plan.proposal === null) return;
      run.plan.proposal = { ...run.plan.proposal, approvedBy: 'nobody' };
    });
    expect(await noticed()).toMatch(/comes into force unapproved/);
  });

  it('An endless series of new plans is noticed [C6]', async () => {
    breakApply((run) => {
      run.plan.replans = 0;
    });
    expect(await noticed()).toMatch(/new plan \d+ of \d+ is asked for/);
  });

  it('A fallback that returns to the first agent is noticed [C6]', async () => {
    breakApply((run) => {
      for (const task of run.tasks.values())
        if (task.failures.fallbackIndex > 1) task.failures.fallbackIndex = 0;
    });
    expect(await noticed()).toMatch(/is not the turn of/);
  });

  it('A task that begins before its dependencies is noticed [C3]', async () => {
    breakApply((run, event) => {
      if (event.type !== 'plan-adopted') return;
      for (const task of run.tasks.values()) {
        if (task.status.is !== 'waiting') continue;
        task.status = { is: 'ready' };
        run.queue.ready.push(task);
      }
    });
    expect(await noticed()).toMatch(/begins before/);
  });

  it('A run that ends without checking the goal itself is noticed [X7]', async () => {
    vi.doMock('#kernel/decide/decide.ts', async (original) => {
      const actual = await original<typeof Decide>();
      const decide: typeof Decide.decide = (run, policy) => {
        const decision = actual.decide(run, policy);
        const isHeldUp = decision.isTimed && run.queue.unfinished === 0 && run.running.size === 0;
        return isHeldUp ? actual.decide(run, { ...policy, nextForRun: () => null }) : decision;
      };
      return { ...actual, decide };
    });
    expect(await noticed()).toMatch(/the goal was not looked at|nobody judged/);
  });
});
