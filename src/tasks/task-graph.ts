// Checks that ids are unique and dependencies known and acyclic, and orders the tasks of a file. Pure.
import { suggest } from '#base/suggest.ts';
import type { Problem } from './task-problem.ts';
import type { WrittenTask } from './written-task.ts';

export interface TaskGraph {
  /** In starting order, with dependencies by id. */
  readonly tasks: readonly WrittenTask[];
  readonly problems: readonly Problem[];
}

/** `known`: ids of existing tasks, which others may depend on. */
export function orderTasks(written: readonly WrittenTask[], known: readonly string[] = []): TaskGraph {
  const problems: Problem[] = [];
  const ids = new Map(known.map((id) => [id.toLowerCase(), { id, by: 'a task of the run' }]));
  for (const task of written) {
    const other = ids.get(task.id.toLowerCase());
    if (other === undefined) ids.set(task.id.toLowerCase(), { id: task.id, by: `line ${task.at.line}` });
    else problems.push({ ...placeOf(task), text: `the id ${task.id} is already used by ${other.by}` });
  }
  const names = new Map([...ids].map(([key, { id }]) => [key, id]));
  const tasks = written.map((task) => ({ ...task, dependsOn: resolveAll(task, names, problems) }));
  const circles = findCircles(tasks);
  problems.push(...circles);
  return { tasks: circles.length > 0 ? tasks : inOrder(tasks), problems };
}

function placeOf({ at: { line, where } }: WrittenTask): { line: number; where: string } {
  return { line, where };
}

function resolveAll(task: WrittenTask, ids: ReadonlyMap<string, string>, problems: Problem[]): string[] {
  const found = new Set<string>();
  for (const name of task.dependsOn) {
    const id = taskCalled(name, ids);
    if (id !== null) found.add(id);
    else
      problems.push({
        ...task.at.dependsOn,
        text: `task ${task.id} depends on "${name}", which is not in the file${instead(name, ids)}`,
      });
  }
  return [...found];
}

/** By lower-case id or as in a heading: `Task 3`, `3`, `#3`, `T-12: Title`; null if there is none. */
export function taskCalled(name: string, ids: ReadonlyMap<string, string>): string | null {
  const word = name
    .toLowerCase()
    .replace(/^task\s+/, '')
    .replace(/^#/, '')
    .trim();
  const short = word.replace(/\s*[:：].*$/s, '');
  for (const one of [word, `task-${word}`, short, `task-${short}`]) {
    const id = ids.get(one);
    if (id !== undefined) return id;
  }
  return null;
}

function instead(name: string, ids: ReadonlyMap<string, string>): string {
  const known = [...ids.values()];
  const near = suggest(name, known);
  // A different number is not a typing error.
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  if (near !== null && bare(near) !== bare(name)) return `; did you mean "${near}"?`;
  return `; the tasks are ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}`;
}

interface Visit {
  readonly task: WrittenTask;
  next: number;
}

/** Reports each cycle once, as the path around it. */
function findCircles(tasks: readonly WrittenTask[]): Problem[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const isDone = new Set<string>();
  const problems: Problem[] = [];
  for (const first of tasks) {
    const path: Visit[] = [];
    const enter = (task: WrittenTask): void => {
      const at = path.findIndex((visit) => visit.task.id === task.id);
      if (at >= 0) {
        const way = [...path.slice(at).map((visit) => visit.task.id), task.id].join(' → ');
        problems.push({ ...task.at.dependsOn, text: `these tasks wait for each other: ${way}` });
      } else if (!isDone.has(task.id)) path.push({ task, next: 0 });
    };
    enter(first);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const id = visit.task.dependsOn[visit.next];
      visit.next += 1;
      const below = id === undefined ? undefined : byId.get(id);
      if (below !== undefined) enter(below);
      else if (id === undefined) {
        isDone.add(visit.task.id);
        path.pop();
      }
    }
  }
  return problems;
}

/** The most urgent first, each right after its dependencies; otherwise in file order. */
function inOrder(tasks: readonly WrittenTask[]): WrittenTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const placed = new Set<WrittenTask>();
  for (const first of tasks.toSorted((one, other) => one.rank - other.rank)) {
    const path: Visit[] = [{ task: first, next: 0 }];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const id = visit.task.dependsOn[visit.next];
      visit.next += 1;
      const below = id === undefined ? undefined : byId.get(id);
      if (below !== undefined && !placed.has(below)) path.push({ task: below, next: 0 });
      else if (id === undefined) {
        placed.add(visit.task);
        path.pop();
      }
    }
  }
  return [...placed];
}
