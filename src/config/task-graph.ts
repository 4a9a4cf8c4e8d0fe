// What holds between the tasks of a file: no id twice, every dependency known, no circle; and the order that follows. Pure.
import { suggest } from './suggest.ts';
import type { Problem } from './task-problem.ts';
import type { WrittenTask } from './written-task.ts';

export interface TaskGraph {
  /** As they are taken up, with dependencies by id. */
  readonly tasks: readonly WrittenTask[];
  readonly problems: readonly Problem[];
}

export function orderTasks(written: readonly WrittenTask[]): TaskGraph {
  const problems: Problem[] = [];
  const byId = new Map<string, WrittenTask>();
  for (const task of written) {
    const other = byId.get(task.id.toLowerCase());
    if (other === undefined) byId.set(task.id.toLowerCase(), task);
    else
      problems.push({
        ...placeOf(task),
        text: `the id ${task.id} is taken already, by line ${other.at.line}`,
      });
  }
  const tasks = written.map((task) => ({ ...task, dependsOn: resolveAll(task, byId, problems) }));
  const circles = findCircles(tasks);
  problems.push(...circles);
  return { tasks: circles.length > 0 ? tasks : inOrder(tasks), problems };
}

function placeOf({ at: { line, where } }: WrittenTask): { line: number; where: string } {
  return { line, where };
}

function resolveAll(
  task: WrittenTask,
  byId: ReadonlyMap<string, WrittenTask>,
  problems: Problem[],
): string[] {
  const found = new Set<string>();
  for (const name of task.dependsOn) {
    const other = taskCalled(name, byId);
    if (other !== null) found.add(other.id);
    else
      problems.push({
        ...task.at.dependsOn,
        text: `task ${task.id} depends on "${name}", which is not in the file${instead(name, byId)}`,
      });
  }
  return [...found];
}

/** By id, or as its heading says it: `Task 3`, `3`, `#3`, `T-12: Title`. */
function taskCalled(name: string, byId: ReadonlyMap<string, WrittenTask>): WrittenTask | null {
  const word = name
    .toLowerCase()
    .replace(/^task\s+/, '')
    .replace(/^#/, '')
    .trim();
  return (
    byId.get(word) ??
    byId.get(`task-${word}`) ??
    byId.get(word.replace(/\s*[:：].*$/s, '')) ??
    byId.get(`task-${word.replace(/\s*[:：].*$/s, '')}`) ??
    null
  );
}

function instead(name: string, byId: ReadonlyMap<string, WrittenTask>): string {
  const ids = [...byId.values()].map(({ id }) => id);
  const near = suggest(name, ids);
  if (near !== null) return `; did you mean "${near}"?`;
  return `; the tasks are ${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ', …' : ''}`;
}

interface Visit {
  readonly task: WrittenTask;
  next: number;
}

/** Each circle once, as the way around it. */
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

/** The most urgent first, each right behind what it depends on; else as they stand in the file. */
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
