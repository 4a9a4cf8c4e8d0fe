// Performs one operation. It knows how, never why, and reports its results as facts.
import { assert, present } from '#base/assert.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import { goalsOf } from '#kernel/proof/goals.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { SettlePlanOperation, SurveyOperation } from '#kernel/planning/plan.ts';
import type { Step } from '#kernel/model/step.ts';
import type { World } from '#ports/world.ts';
import { isUntouched } from '#kernel/fold/under-way.ts';
import { performCheck } from './perform-check.ts';
import { ended, refused } from './perform-ended.ts';
import { performReproduce } from './perform-reproduce.ts';
import { performSession } from './perform-session.ts';
import type { Emit, Performance, StepOf } from './performance.ts';
import { restoreFiles } from './session-place.ts';

export function perform(step: Step, run: Run, world: World, emit: Emit): Performance {
  const { deed } = step;
  switch (deed.kind) {
    case 'session':
      return performSession({ ...step, deed }, run, world, emit);
    case 'check':
      return refusable(step, performCheck({ ...step, deed }, run, world, emit));
    case 'reproduce':
      return refusable(step, performReproduce({ ...step, deed }, run, world, emit));
    case 'prepare':
      return refusable(step, { ended: prepare(step, run, world), steer: () => {} });
    case 'commit':
      return refusable(step, { ended: commit(step, world), steer: () => {} });
    case 'survey':
    case 'settle-plan':
      return refusable(step, {
        ended: performPlanning({ ...step, deed }, run, world, emit),
        steer: () => {},
      });
  }
}

/** Nothing is lost with such an operation: if it is refused, the kernel asks for it again. */
function refusable(step: Step, performance: Performance): Performance {
  return {
    steer: (steer) => performance.steer(steer),
    ended: performance.ended.catch((error: unknown) => refused(step, error)),
  };
}

async function prepare(step: Step, run: Run, world: World): Promise<readonly Fact[]> {
  const prepared = await world.workspace.prepare(allCriteria(run), {
    pins: run.base?.pins ?? [],
    goals: goalsOf(run),
    isUntouched: isUntouched(run),
    ...(run.tip === null ? {} : { tip: run.tip.commit }),
  });
  return ended(step, { kind: 'prepare', ...prepared });
}

/** Idempotent, so that the driver that adopts it can finish a commit cut off by a crash. */
export async function commit(step: Step, world: World): Promise<readonly Fact[]> {
  if (step.deed.kind !== 'commit') return [];
  const { parent, message } = step.deed;
  const made = await world.workspace.commit({
    stepId: step.stepId,
    tree: present(step.baseTree, 'a commit has a tree'),
    parent,
    message,
  });
  return ended(
    step,
    'commit' in made
      ? { kind: 'commit', commit: made.commit }
      : { kind: 'refused', reason: made.refused, hint: made.hint },
  );
}

function allCriteria(run: Run): Criterion[] {
  return [...run.tasks.values()].flatMap((task) => task.spec.criteria);
}

/** Surveys the repository for the architect, and reads the architect's answer. */
async function performPlanning(
  step: StepOf<SurveyOperation | SettlePlanOperation>,
  run: Run,
  world: World,
  emit: Emit,
): Promise<readonly Fact[]> {
  const planner = present(world.planner ?? null, 'a run that plans has a planner');
  const tip = present(run.tip, 'a prepared run has a tip');
  const { deed } = step;
  if (deed.kind === 'survey') {
    const { goal } = run.config;
    // The map shows what has landed, not the leftovers of a failed attempt.
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
