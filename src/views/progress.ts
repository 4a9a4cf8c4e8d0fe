// The progress block. Progress is criteria that pass, or tasks that landed; never words.
import type { Run } from '#kernel/run.ts';
import { currentTask, stageOf } from './stage.ts';
import { completedSteps } from './steps.ts';
import { elapsed } from './words.ts';

export function progressBlock(run: Run): string {
  const { done, all } = completedSteps(run);
  const task = currentTask(run);
  return [
    `Progress: [${done} of ${all}] ${bar(done, all)} ${percent(done, all)}%`,
    `Current: Task ${task === null ? 0 : task.index + 1} - ${task?.spec.title ?? 'none'}`,
    `Status: ${stageOf(run)}`,
    `Time: ${elapsed(run.activeMs)} elapsed`,
  ].join('\n');
}

function percent(done: number, all: number): number {
  return all === 0 ? 0 : Math.floor((done * 100) / all);
}

function bar(done: number, all: number): string {
  const full = all === 0 ? 0 : Math.floor((done * 10) / all);
  return '▰'.repeat(full) + '▱'.repeat(10 - full);
}
