// Which task of a run a person means: by its id, by the number in it, in any case of letters.
import { suggest } from '#config/suggest.ts';
import { taskCalled } from '#config/task-graph.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';

export function pickTask(run: Run, name: string): TaskState {
  const ids = new Map([...run.tasks.keys()].map((id) => [id.toLowerCase(), id]));
  const task = run.tasks.get(name) ?? run.tasks.get(taskCalled(name, ids) ?? '');
  if (task !== undefined) return task;
  const near = suggest(name, run.tasks.keys());
  const known = [...run.tasks.keys()];
  throw new OperatorError(
    'no-task',
    `The run ${run.id} has no task "${name}".`,
    near === null
      ? `Its tasks are ${known.slice(0, 8).join(', ')}${known.length > 8 ? ', …' : ''}.`
      : `Did you mean "${near}"?`,
  );
}
