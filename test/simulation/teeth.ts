// Plants a fault in the simulation, and returns the first assertion that notices it.
import { vi } from 'vitest';
import type * as Apply from '#kernel/fold/apply.ts';
import type * as LiveMany from './live-many.ts';
import type * as Plan from './plan.ts';
import type * as Chance from './random.ts';
import type { Faults } from './universe.ts';

/** What was noticed first, living with modules that were replaced since the last test; `policy` and `isIncluded`: in lives of one kind alone. */
export async function firstViolation(
  faults: Faults = {},
  policy: string | null = null,
  isIncluded: (plan: Plan.Plan) => boolean = () => true,
): Promise<string> {
  vi.resetModules();
  const { liveMany, livesUsual } = await vi.importActual<typeof LiveMany>('./live-many.ts');
  const { planLife } = await vi.importActual<typeof Plan>('./plan.ts');
  const { seeded } = await vi.importActual<typeof Chance>('./random.ts');
  function* seeds(): Generator<number> {
    // Half of the lives of `npm test` must be enough for each fault.
    for (let seed = 1; seed <= livesUsual / 2; seed += 1) {
      const plan = planLife(seeded(seed));
      if ((policy === null || plan.policy.name === policy) && isIncluded(plan)) yield seed;
    }
  }
  const { bad } = await liveMany(seeds(), { faults });
  return bad?.violation ?? 'nothing was noticed';
}

/** Lets something happen to the run after each fact, the same in every driver and replay. */
export function breakApply(after: (...[run, event]: Parameters<typeof Apply.apply>) => void): void {
  vi.doMock('#kernel/fold/apply.ts', async (original) => {
    const actual = await original<typeof Apply>();
    const apply: typeof Apply.apply = (run, event) => {
      actual.apply(run, event);
      after(run, event);
    };
    const replay: typeof Apply.replay = (events) => {
      const [first, ...rest] = events;
      if (first === undefined) throw new Error('a journal holds at least one event');
      const run = actual.replay([first]);
      for (const event of rest) apply(run, event);
      return run;
    };
    return { ...actual, apply, replay };
  });
}
