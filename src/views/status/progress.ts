// The progress block. Progress means passing criteria or landed tasks, never claims of an agent.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { currentTask, stageOf } from './stage.ts';
import { completedSteps } from './steps.ts';
import { elapsed } from '#views/words.ts';

export function progressBlock(run: Run): string {
  const { done, all } = completedSteps(run);
  const task = currentTask(run);
  const share = Math.min(percent(done, all), isShort(run) ? 99 : 100);
  return [
    `Progress: ${all === 0 ? nothingToCount(run) : `[${done} of ${all}] ${bar(share)} ${share}%`}`,
    `Current: Task ${task === null ? 0 : shownName(run, task)} - ${task?.spec.title ?? 'none'}`,
    `Status: ${stageOf(run)}`,
    `Time: ${elapsed(run.activeMs)} elapsed`,
  ].join('\n');
}

/** Its own number, if it has one: in a file, the order may differ from the numbers. */
export function shownName(run: Run, { spec, index }: TaskState): string {
  const number = /^task-(\d+)$/.exec(spec.id)?.[1];
  return number ?? (run.tasks.size > 1 && !/^\d/.test(spec.id) ? spec.id : String(index + 1));
}

/** A campaign before its plan, or a run that only a person will review. */
function nothingToCount(run: Run): string {
  return run.tasks.size === 0 ? 'no task yet' : 'no criteria';
}

function percent(done: number, all: number): number {
  return all === 0 ? 0 : Math.floor((done * 100) / all);
}

/** Failed or ended otherwise: whatever passed, the goal was not reached. */
function isShort(run: Run): boolean {
  if (run.outcome !== null) return run.outcome.outcome !== 'completed';
  return [...run.tasks.values()].some((task) => task.status.is === 'failed');
}

function bar(share: number): string {
  const full = Math.floor(share / 10);
  return '▰'.repeat(full) + '▱'.repeat(10 - full);
}
