// Looks at the repository for the architect, and reads what the architect answered.
import { assert, present } from '#base/assert.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { World } from '#ports/world.ts';
import { ended } from './perform-ended.ts';
import { restoreFiles } from './session-place.ts';
import type { Emit, StepOf } from './performance.ts';
import type { SettlePlanDeed, SurveyDeed } from '#kernel/planning/plan.ts';

export async function performPlanning(
  step: StepOf<SurveyDeed | SettlePlanDeed>,
  run: Run,
  world: World,
  emit: Emit,
): Promise<readonly Fact[]> {
  const planner = present(world.planner ?? null, 'a run that plans has a planner');
  const tip = present(run.tip, 'a prepared run has a tip');
  const { deed } = step;
  if (deed.kind === 'survey') {
    const { goal } = run.config;
    // A map of what has landed, not of what a failed attempt left.
    await restoreFiles(step, world, emit);
    const survey = await planner.survey({ goal, tokens: deed.tokens, tree: tip.tree });
    return ended(step, { kind: 'survey', ...survey });
  }
  const byStatus = (isWanted: (status: string) => boolean): string[] =>
    [...run.tasks.values()].filter((task) => isWanted(task.status.is)).map((task) => task.spec.id);
  const isDone = (status: string): boolean => ['landed', 'skipped'].includes(status);
  const settled = await planner.settle({
    text: deed.text,
    tree: tip.tree,
    done: byStatus(isDone),
    open: byStatus((status) => !isDone(status) && status !== 'dropped'),
  });
  assert(settled.problems.length > 0 || settled.tasks.length > 0, 'a plan without problems has tasks');
  return ended(step, { kind: 'settle-plan', ...settled });
}
