// Reads a person's plan from a file, compares it with the repository, and makes tasks of it.
import { isDeepStrictEqual } from 'node:util';
import { chosenAgents } from '#tasks/added-task.ts';
import type { TaskWish } from '#config/agents/agent-wishes.ts';
import { problemList } from '#tasks/task-problem.ts';
import { criteriaNotes } from '#tasks/criteria/written-criteria.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { SettledPlan } from '#kernel/planning/plan.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';
import { personLimits } from '#policies/planning/check-plan.ts';
import { readPlan, type WrittenPlan } from '#policies/planning/written-plan.ts';
import { OperatorError } from '#base/operator-error.ts';
import { parseRecord } from '#base/parse-json.ts';
import { settlePlan } from './planner.ts';
import type { Site } from '#app/site.ts';

export interface PlanFile {
  readonly name: string;
  readonly text: string;
}

/** The goal that the plan names; null if it names none. */
export function goalOfPlan({ text }: PlanFile): string | null {
  const goal = parseRecord(text)?.['goal'];
  return typeof goal === 'string' && goal.trim() !== '' ? goal.trim() : null;
}

export interface PlanTarget {
  /** The run whose plan it replaces; if omitted, it is the plan of a new run. */
  readonly run?: Run;
  /** The agents of each task of a new run, as resolved with its configuration. */
  readonly agents?: ReadonlyMap<string, NonNullable<Task['agents']>>;
}

export async function importPlan(
  site: Site,
  config: Pick<RunConfig, 'policy' | 'mayChange' | 'roles' | 'agents'>,
  file: PlanFile,
  { run, agents }: PlanTarget = {},
): Promise<SettledPlan> {
  const plan = readPlanFile(file);
  if (run !== undefined) refuseOtherGoal(file, run);
  const settled = await settlePlan(
    site,
    config,
    {
      plan: withoutOver(plan, run),
      tree: run?.tip?.commit ?? site.head.commit,
      done: idsOf(run, ['landed', 'skipped']),
      open: idsOf(run, ['waiting', 'ready', 'failed', 'active', 'needs-input', 'proven']),
    },
    {
      by: 'person',
      limits: personLimits,
      agentsOf: (task) => agents?.get(task.id) ?? chosenAgents(config, task.agents),
    },
  );
  if (settled.problems.length > 0) throw unusable(file, settled.problems);
  if (run === undefined) return settled;
  return { ...settled, tasks: settled.tasks.map((task) => asItWas(run.tasks.get(task.id)?.spec, task)) };
}

const notesMax = 20;

/** Criteria without a check, and how they will be decided: shown before any session is paid. */
export function planNotes(tasks: readonly Task[]): string[] {
  const notes = tasks.flatMap(({ id, criteria }) => criteriaNotes(criteria).map((note) => `${id}: ${note}`));
  const left = notes.length - notesMax;
  return left > 1
    ? [...notes.slice(0, notesMax), `… and ${left} more criteria without a check of their own`]
    : notes;
}

/** The agents that a plan for a new run names per task: their configuration has to be resolved first. */
export function agentsInPlan(file: PlanFile): { readonly tasks: string[]; readonly ofTasks: TaskWish[] } {
  const { tasks } = withoutOver(readPlanFile(file), undefined);
  return {
    tasks: tasks.map(({ id }) => id),
    ofTasks: tasks.flatMap(({ id, agents }) =>
      Object.entries(agents).map(([role, text]) => ({
        taskId: id,
        role,
        text,
        where: `${file.name}, task ${id}`,
      })),
    ),
  };
}

function readPlanFile(file: PlanFile): WrittenPlan {
  const { plan, problems } = readPlan(file.text);
  if (plan === null) throw unusable(file, problems);
  return plan;
}

function refuseOtherGoal(file: PlanFile, { id, config: { goal } }: Run): void {
  const wanted = goalOfPlan(file);
  if (wanted === null || wanted === goal.trim()) return;
  throw new OperatorError(
    'other-goal',
    `${file.name} has another goal than run ${id}. The goal of a run cannot change.`,
    `Restore the goal, or start a new run: untildone run --plan ${file.name}`,
  );
}

/** A view of a plan also names finished tasks: they are omitted, and a new run does not wait for them. */
function withoutOver(plan: WrittenPlan, run: Run | undefined): WrittenPlan {
  const over = new Set(plan.tasks.filter(({ isOver }) => isOver).map(({ id }) => id));
  const tasks = plan.tasks
    .filter(({ isOver }) => !isOver)
    .map((task) => ({
      ...task,
      dependsOn: run === undefined ? task.dependsOn.filter((id) => !over.has(id)) : task.dependsOn,
    }));
  return { summary: plan.summary, tasks, dropped: run === undefined ? [] : droppedIn(plan, run) };
}

/** An unchanged task stays the same task, and each criterion keeps what is known of its check. */
function asItWas(before: Task | undefined, task: Task): Task {
  if (before === undefined) return task;
  const criteria = task.criteria.map(
    (one) => before.criteria.find((other) => isDeepStrictEqual(plain(other), plain(one))) ?? one,
  );
  const byId = (list: readonly Criterion[]): readonly Criterion[] =>
    list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const isSame = isDeepStrictEqual(
    { ...before, criteria: byId(before.criteria) },
    { ...task, criteria: byId(criteria) },
  );
  return isSame ? before : { ...task, criteria };
}

function plain({ origin: _origin, ...criterion }: Criterion): Omit<Criterion, 'origin'> {
  return criterion;
}

/** Tasks that an earlier plan dropped are not dropped again. */
function droppedIn({ dropped }: WrittenPlan, run: Run): WrittenPlan['dropped'] {
  return dropped.filter(({ id }) => run.tasks.get(id)?.status.is !== 'dropped');
}

function idsOf(run: Run | undefined, statuses: readonly string[]): string[] {
  if (run === undefined) return [];
  return [...run.tasks.values()]
    .filter(({ status }) => statuses.includes(status.is))
    .map(({ spec }) => spec.id);
}

function unusable({ name }: PlanFile, problems: readonly string[]): OperatorError {
  const [first = ''] = problems;
  return new OperatorError(
    'bad-plan',
    `${name} is not a valid plan:${problems.length === 1 ? ` ${first}` : `\n${problemList(problems)}`}`,
    '`untildone help planning` shows what a plan looks like; `untildone plan --json` prints the one of a run.',
  );
}
