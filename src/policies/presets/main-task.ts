// The task of a preset without planning: the goal itself, or one task of a task file.
import { clipped } from '#base/bounded-text.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import type { PresetInput } from './preset.ts';

export function mainTask({ goal, mayChange, task }: PresetInput, criteria: readonly Criterion[]): Task {
  return {
    id: task?.id ?? 'main',
    title: titleOf(task?.title ?? goal),
    description: goal,
    files: task?.files ?? [],
    hints: [],
    dependsOn: task?.dependsOn ?? [],
    domain: task?.domain ?? null,
    criteria,
    mayChange,
    ...(task?.securityCritical === true ? { securityCritical: true } : {}),
    ...(task?.rank === undefined ? {} : { rank: task.rank }),
  };
}

function titleOf(goal: string): string {
  const line =
    goal
      .split('\n')
      .map((one) => one.replace(/^#+\s*/, '').trim())
      .find((one) => one !== '') ?? 'work';
  return clipped(line, 72);
}
