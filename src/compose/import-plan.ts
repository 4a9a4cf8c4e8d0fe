// A person's plan from a file: read, held against the repository, made into tasks.
import type { RunConfig } from '#kernel/config.ts';
import type { SettledPlan } from '#kernel/plan.ts';
import type { Run } from '#kernel/run.ts';
import { personLimits } from '#policies/planning/check-plan.ts';
import type { WrittenPlan } from '#policies/planning/written-plan.ts';
import { readPlan } from '#policies/planning/written-plan.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { settlePlan } from './planner.ts';
import type { Site } from './site.ts';

export interface PlanFile {
  readonly name: string;
  readonly text: string;
}

/** The goal that a plan was made for, where it says so. */
export function goalOfPlan({ text }: PlanFile): string | null {
  try {
    const { goal } = JSON.parse(text) as { goal?: unknown };
    return typeof goal === 'string' && goal.trim() !== '' ? goal.trim() : null;
  } catch {
    return null;
  }
}

/** `run` is the one whose plan it replaces; without one it is the plan of a new run. */
export async function importPlan(
  site: Site,
  config: Pick<RunConfig, 'policy' | 'mayChange'>,
  file: PlanFile,
  run?: Run,
): Promise<SettledPlan> {
  const { plan, problems } = readPlan(file.text);
  if (plan === null) throw unusable(file, problems);
  const settled = await settlePlan(
    site,
    config,
    {
      text: JSON.stringify(withoutOver(plan, run)),
      tree: run?.tip?.commit ?? site.head.commit,
      done: idsOf(run, ['landed', 'skipped']),
      open: idsOf(run, ['waiting', 'ready', 'failed', 'active', 'needs-input']),
    },
    { by: 'person', limits: personLimits },
  );
  if (settled.problems.length > 0) throw unusable(file, settled.problems);
  return settled;
}

/** A view of a plan also names what is over: it stays out, and a new run does not wait for it. */
function withoutOver(plan: WrittenPlan, run: Run | undefined) {
  const over = new Set(plan.tasks.filter(({ isOver }) => isOver).map(({ id }) => id));
  const tasks = plan.tasks
    .filter(({ isOver }) => !isOver)
    .map((task) => ({
      ...written(task),
      dependsOn: run === undefined ? task.dependsOn.filter((id) => !over.has(id)) : task.dependsOn,
    }));
  return { summary: plan.summary, tasks, dropped: run === undefined ? [] : droppedIn(plan, run) };
}

function written({ isOver: _isOver, domain, ...task }: WrittenPlan['tasks'][number]) {
  return domain === null ? task : { ...task, domain };
}

/** What an earlier plan dropped is not dropped again. */
function droppedIn({ dropped }: WrittenPlan, run: Run): WrittenPlan['dropped'] {
  return dropped.filter(({ id }) => run.tasks.get(id)?.status !== 'dropped');
}

function idsOf(run: Run | undefined, statuses: readonly string[]): string[] {
  if (run === undefined) return [];
  return [...run.tasks.values()].filter(({ status }) => statuses.includes(status)).map(({ spec }) => spec.id);
}

function unusable({ name }: PlanFile, problems: readonly string[]): OperatorError {
  const [first = '', ...others] = problems;
  const list = others.length === 0 ? first : [first, ...others].map((one) => `\n  ${one}`).join('');
  return new OperatorError(
    'bad-plan',
    `${name} is no plan that could be worked by:${others.length === 0 ? ' ' : ''}${list}`,
    'docs/guide/planning.md shows what a plan looks like; `untildone plan --json` prints the one of a run.',
  );
}
