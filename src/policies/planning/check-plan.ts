// Finds problems of a plan as a whole, in sentences that its author can act on. Does not judge the checks.
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { WrittenPlan, WrittenPlanTask } from './written-plan.ts';

export interface PlanGround {
  hasFile(path: string): boolean;
  /** Finished tasks: others may depend on them, but a plan may not change them. */
  readonly done: readonly string[];
  /** Unfinished tasks of the previous plan. */
  readonly open: readonly string[];
  readonly limits: PlanLimits;
}

export interface PlanLimits {
  readonly tasks: number;
  readonly filesPerTask: number;
  readonly criteriaPerTask: number;
  readonly hintsPerTask: number;
  readonly titleChars: number;
  readonly descriptionChars: number;
}

/** For an architect: as much as a fresh session can hold and a person can read before approving. */
export const architectLimits: PlanLimits = {
  tasks: 60,
  filesPerTask: 25,
  criteriaPerTask: 15,
  hintsPerTask: 50,
  titleChars: 200,
  descriptionChars: 6000,
};

/** For a person's own file: only what the program could not handle. */
export const personLimits: PlanLimits = {
  tasks: 10_000,
  filesPerTask: 1000,
  criteriaPerTask: 200,
  hintsPerTask: 1000,
  titleChars: 2000,
  descriptionChars: 200_000,
};

export function problemsOfPlan(plan: WrittenPlan, ground: PlanGround): string[] {
  if (plan.tasks.length === 0) return ['the plan has no task'];
  const { tasks: max } = ground.limits;
  if (plan.tasks.length > max)
    return [`the plan has ${plan.tasks.length} tasks, more than ${max}; plan the next part of the way only`];
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  return [
    ...idProblems(plan.tasks, ground),
    ...plan.tasks.flatMap((task) => dependencyProblems(task, byId, ground)),
    ...cycleProblems(plan.tasks, byId),
    ...plan.tasks.flatMap((task) => sizeProblems(task, ground.limits)),
    ...fileProblems(plan.tasks, byId, ground),
    ...plan.dropped.flatMap(({ id }) => dropProblems(id, byId, ground)),
  ];
}

function idProblems(tasks: readonly WrittenPlanTask[], { done }: PlanGround): string[] {
  const seen = new Set<string>();
  return tasks.flatMap(({ id }) => {
    // The id becomes part of a ref name.
    if (!/^[A-Za-z][\w.-]{0,39}$/.test(id) || /\.\.|\.$|\.lock$/.test(id))
      return [
        `${id}: an id begins with a letter and holds letters, digits, single ".", "_" and "-", at most 40`,
      ];
    if (id === goalTaskId) return [`${id}: this id is reserved for the final acceptance`];
    if (done.includes(id)) return [`${id}: this task is done and cannot be changed; leave it out`];
    if (seen.has(id)) return [`${id}: two tasks have this id`];
    seen.add(id);
    return [];
  });
}

function dependencyProblems(
  task: WrittenPlanTask,
  byId: ReadonlyMap<string, WrittenPlanTask>,
  { done }: PlanGround,
): string[] {
  return task.dependsOn.flatMap((id) => {
    if (id === task.id) return [`${task.id}: it depends on itself`];
    if (byId.has(id) || done.includes(id)) return [];
    return [`${task.id}: it depends on "${id}", and there is no such task`];
  });
}

/** Reports each cycle once, as the path around it. */
function cycleProblems(
  tasks: readonly WrittenPlanTask[],
  byId: ReadonlyMap<string, WrittenPlanTask>,
): string[] {
  const problems: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const { id } of tasks) {
    // A loop instead of recursion: a chain of thousands of tasks must not overflow the stack.
    const way: { readonly id: string; next: number }[] = [];
    if (!state.has(id)) way.push({ id, next: 0 });
    if (way.length > 0) state.set(id, 'open');
    while (way.length > 0) {
      const at = way[way.length - 1];
      if (at === undefined) break;
      const needed = byId.get(at.id)?.dependsOn[at.next];
      at.next += 1;
      if (needed === undefined) {
        state.set(at.id, 'done');
        way.pop();
      } else if (state.get(needed) === 'open') {
        const from = way.findIndex((one) => one.id === needed);
        // A task that depends on itself is reported already.
        if (from < way.length - 1)
          problems.push(
            `the tasks depend on each other in a circle: ${[...way.slice(from).map((one) => one.id), needed].join(' → ')}`,
          );
      } else if (!state.has(needed) && byId.has(needed)) {
        state.set(needed, 'open');
        way.push({ id: needed, next: 0 });
      }
    }
  }
  return problems;
}

function sizeProblems(task: WrittenPlanTask, limits: PlanLimits): string[] {
  const problems: string[] = [];
  if (task.exitCriteria.length === 0)
    problems.push(
      `${task.id}: it has no exit criterion; say what must be true when it is done, and how that is checked`,
    );
  if (task.files.length + task.creates.length > limits.filesPerTask)
    problems.push(`${task.id}: it names more than ${limits.filesPerTask} files; split it`);
  if (task.entryCriteria.length + task.exitCriteria.length > limits.criteriaPerTask)
    problems.push(`${task.id}: it has more than ${limits.criteriaPerTask} criteria; split it`);
  if (task.title.length > limits.titleChars)
    problems.push(`${task.id}: its title is longer than ${limits.titleChars} characters`);
  if (task.hints.length > limits.hintsPerTask)
    problems.push(`${task.id}: it has more than ${limits.hintsPerTask} hints; split it`);
  if (task.description.length > limits.descriptionChars)
    problems.push(
      `${task.id}: its description is longer than ${limits.descriptionChars} characters; split it`,
    );
  return problems;
}

/** A file must exist, or the task creates it, or a task before it does. */
function fileProblems(
  tasks: readonly WrittenPlanTask[],
  byId: ReadonlyMap<string, WrittenPlanTask>,
  ground: PlanGround,
): string[] {
  const made = new Set(tasks.flatMap(({ creates }) => creates));
  return tasks.flatMap((task) => [
    ...[...task.files, ...task.creates]
      .filter(isOutside)
      .map((path) => `${task.id}: "${path}" is no path inside the repository`),
    ...[...task.files, ...task.creates]
      .filter((path) => /^(\.\/)*\.(git|untildone)(\/|$)/.test(path))
      .map((path) => `${task.id}: "${path}" is no part of the work`),
    ...task.files.flatMap((path) => {
      if (isOutside(path) || isPattern(path) || ground.hasFile(path) || task.creates.includes(path))
        return [];
      if (!made.has(path))
        return [
          `${task.id}: the file "${path}" does not exist; if it is to be made, list it under "creates"`,
        ];
      if (comesBefore(task, path, byId)) return [];
      return [`${task.id}: "${path}" is made by another task; depend on that task`];
    }),
  ]);
}

function comesBefore(
  task: WrittenPlanTask,
  path: string,
  byId: ReadonlyMap<string, WrittenPlanTask>,
): boolean {
  const seen = new Set<string>();
  const open = [...task.dependsOn];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const before = byId.get(id);
    if (before === undefined) continue;
    if (before.creates.includes(path)) return true;
    open.push(...before.dependsOn);
  }
  return false;
}

function dropProblems(
  id: string,
  byId: ReadonlyMap<string, WrittenPlanTask>,
  { done, open }: PlanGround,
): string[] {
  if (done.includes(id)) return [`${id}: this task is done and cannot be dropped`];
  if (byId.has(id)) return [`${id}: it is among the tasks and among those that are dropped`];
  return open.includes(id) ? [] : [`${id}: there is no such task to drop`];
}

function isOutside(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split(/[\\/]/).includes('..');
}

function isPattern(path: string): boolean {
  return /[*?{[]/.test(path) || path.endsWith('/');
}
