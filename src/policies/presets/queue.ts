// The preset `queue`: tasks from a file, each built by fresh sessions that know nothing of the other tasks.
import { taskAfterTask } from '#policies/loops/task-after-task.ts';
import { builderVerifier } from './builder-verifier.ts';
import type { Preset } from './preset.ts';

export const queue: Preset = {
  ...builderVerifier,
  name: 'queue',
  takes: 'task-file',
  // No `attemptsMax` here: the other tasks should not wait for twenty attempts.
  limits: { cooldownMs: 2000 },
  policy: taskAfterTask,
};
