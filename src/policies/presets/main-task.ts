// The one task of a preset that plans none.
import type { Criterion } from '#kernel/criterion.ts';
import type { Task } from '#kernel/task.ts';
import type { PresetInput } from './index.ts';

export function mainTask({ goal, mayChange, task }: PresetInput, criteria: readonly Criterion[]): Task {
  return {
    id: task?.id ?? 'main',
    title: titleOf(task?.title ?? goal),
    description: goal,
    files: [],
    hints: [],
    dependsOn: [],
    domain: null,
    criteria,
    mayChange,
  };
}

/** The first line that says something, as a person would shorten it. */
function titleOf(goal: string): string {
  const line =
    goal
      .split('\n')
      .map((one) => one.replace(/^#+\s*/, '').trim())
      .find((one) => one !== '') ?? 'work';
  return line.length <= 72 ? line : `${line.slice(0, 71).trimEnd()}…`;
}
