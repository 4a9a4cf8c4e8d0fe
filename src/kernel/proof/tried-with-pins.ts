// The results of the checks on the work with the original pinned files.
import type { Evidence } from '#kernel/model/criterion.ts';
import type { TaskState } from '#kernel/fold/run.ts';

/** For the newest attempt; empty if this was not tried. */
export function triedWithPins(task: TaskState): Evidence[] {
  if ((task.inspection.checked?.brokenPins ?? []).length === 0) return [];
  return [...task.evidence.values()].flatMap(({ pinned, attempt }) =>
    pinned === undefined || pinned.stepId !== attempt?.stepId ? [] : [pinned],
  );
}
