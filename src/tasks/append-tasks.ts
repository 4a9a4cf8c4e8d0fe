// Selects the imported tasks that a file does not have yet, with ids that are free there. Pure.
import { taskCalled } from './task-graph.ts';
import type { WrittenTask } from './written-task.ts';

type Known = Pick<WrittenTask, 'id' | 'title'>;

/** A numbered id does not identify a task, so such tasks are compared by title. */
const isNumbered = (id: string): boolean => /^task-\d+$/.test(id);

export function newTasks(tasks: readonly WrittenTask[], known: readonly Known[]): WrittenTask[] {
  const ids = new Set(known.map(({ id }) => id));
  const byTitle = new Map(known.map(({ id, title }) => [title, id]));
  const names = new Map<string, string>();
  const fresh: WrittenTask[] = [];
  let next = Math.max(0, ...known.flatMap(({ id }) => (isNumbered(id) ? [Number(id.slice(5))] : []))) + 1;
  for (const task of tasks) {
    const same = isNumbered(task.id) ? byTitle.get(task.title) : ids.has(task.id) ? task.id : undefined;
    if (same === undefined) fresh.push(task);
    const isTaken = same === undefined && ids.has(task.id);
    names.set(task.id.toLowerCase(), same ?? (isTaken ? `task-${next++}` : task.id));
  }
  const nameOf = (written: string): string => taskCalled(written, names) ?? written;
  return fresh.map((task) => ({ ...task, id: nameOf(task.id), dependsOn: task.dependsOn.map(nameOf) }));
}
