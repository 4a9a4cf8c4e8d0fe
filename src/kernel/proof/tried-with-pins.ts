// What the checks said of the work with the pinned files as they were.
import type { Evidence } from '#kernel/model/criterion.ts';
import type { TaskState } from '#kernel/fold/run.ts';

/** Of the newest attempt; empty where that was not tried. */
export function triedWithPins(task: TaskState): Evidence[] {
  if ((task.inspection.checked?.brokenPins ?? []).length === 0) return [];
  return [...task.evidence.values()].flatMap(({ pinned, attempt }) =>
    pinned === undefined || pinned.stepId !== attempt?.stepId ? [] : [pinned],
  );
}
