// Tasks from a file, one after the other: each by fresh sessions that know nothing of the others.
import { taskAfterTask } from '#policies/looping/task-after-task.ts';
import { builderVerifier } from './builder-verifier.ts';
import type { Preset } from './index.ts';

export const queue: Preset = {
  ...builderVerifier,
  name: 'queue',
  takes: 'task-file',
  // A fifth failure in a row nearly always means that the task, not the attempt, is wrong; the others should not wait for twenty.
  limits: { attemptsMax: 5, cooldownMs: 2000 },
  policy: taskAfterTask,
};
