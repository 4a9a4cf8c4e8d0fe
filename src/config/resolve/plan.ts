// Finds the goal of a run: from the command line, else from the plan in the repository.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { type Layer, setting } from '#config/layers.ts';

export interface Plan {
  readonly goal: string;
  /** The file it was read from; null for the command line. */
  readonly file: string | null;
}

export async function findPlan(root: string, settings: Layer, goal: string | undefined): Promise<Plan> {
  if (goal !== undefined) {
    if (goal.trim() !== '') return { goal: goal.trim(), file: null };
    throw new OperatorError(
      'no-goal',
      'The goal is empty.',
      'Give a goal: untildone run "add a health endpoint"',
    );
  }
  const file = planFile(root, settings);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) {
    throw new OperatorError(
      'no-plan',
      `There is no goal on the command line and no plan in ${file}.`,
      'Give a goal, untildone run "…", or make a plan with `untildone init`.',
    );
  }
  if (text.trim() === '')
    throw new OperatorError(
      'no-plan',
      `The plan in ${file} is empty.`,
      'Write the goal into it, or give one: untildone run "…"',
    );
  return { goal: text.trim(), file };
}

export function planFile(root: string, settings: Layer): string {
  const harness = setting(settings, 'harnessDir');
  const folder = setting(settings, 'planDir') ?? join(harness, 'project');
  return join(resolve(root, folder), 'CLAUDE.md');
}
