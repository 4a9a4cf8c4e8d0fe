// Finds the task file: the named one, else one of the usual places.
import { access } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, setting } from '#config/layers.ts';
import type { Preset } from '#policies/presets/preset.ts';

/** Below the root of the repository; the first existing one. */
const usual = [join('.untildone', 'tasks.md'), 'TASKS.md'];

/** Relative to `cwd`; undefined if the preset takes a goal and no file was named. */
export async function findTaskFile(
  { cwd, root }: { readonly cwd: string; readonly root: string },
  settings: Layer,
  preset: Preset,
  goal: string | undefined,
): Promise<string | undefined> {
  const named = setting(settings, 'taskFile');
  if (named !== undefined && goal !== undefined) throw twoGoals(preset);
  if (named !== undefined || preset.takes !== 'task-file') return named;
  if (goal !== undefined) return goal;
  for (const name of usual) {
    if (await isThere(join(root, name))) return relative(cwd, join(root, name));
  }
  throw new OperatorError(
    'no-task-file',
    `The preset ${preset.name} needs a task file, and there is no ${usual.join(' and no ')}.`,
    'Give one: untildone queue my-tasks.md; or import one: untildone import my-notes.md',
  );
}

function twoGoals({ takes }: Preset): OperatorError {
  return takes === 'task-file'
    ? new OperatorError('two-goals', 'Two task files are named.', 'Name one of them.')
    : new OperatorError(
        'two-goals',
        'There is a goal on the command line and a task file.',
        'Use one of them; the task file contains the goals.',
      );
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
