// `queue FILE` is `run --preset queue FILE`.
import type { RunOptions } from './run.ts';
import { runCommand } from './run.ts';

export function queueCommand(file: string | undefined, options: RunOptions): Promise<number> {
  return runCommand(file, { ...options, preset: 'queue' });
}
