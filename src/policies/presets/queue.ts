// Tasks from a file, one after the other: each by fresh sessions that know nothing of the others.
import { taskAfterTask } from '#policies/loops/task-after-task.ts';
import { builderVerifier } from './builder-verifier.ts';
import type { Preset } from './preset.ts';

export const queue: Preset = {
  ...builderVerifier,
  name: 'queue',
  takes: 'task-file',
  // No limit of attempts of its own: the other tasks should not wait for twenty.
  limits: { cooldownMs: 2000 },
  policy: taskAfterTask,
};
