// What really is so, found without the program: the files of its branch, asked directly.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleTask } from '#testing/faults/sample-task.ts';
import type { Ground } from './ground.ts';

export interface Truth {
  readonly isDone: boolean;
  /** Pinned files that are not as they were. */
  readonly weakened: readonly string[];
}

export function findTruth(ground: Ground, sample: SampleTask, base: string): Truth {
  const tip = branchTip(ground);
  if (tip === null) return { isDone: false, weakened: [] };
  const folder = join(ground.folder, 'truth');
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', tip], { cwd: ground.repo, env: ground.env });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const [file, ...args] = sample.truth.argv;
  const { stdout } = spawnSync(file, args, {
    cwd: folder,
    env: ground.env,
    encoding: 'utf8',
    timeout: 600_000,
  });
  const changed = ground.git('diff', '--name-only', base, tip, '--', ...sample.pinned).split('\n');
  const weakened = changed.filter((path) => path !== '' && !sample.mayChange.includes(path));
  return { isDone: stdout.trim() === sample.truth.prints, weakened };
}

function branchTip(ground: Ground): string | null {
  const tips = ground.git('for-each-ref', '--format=%(objectname)', 'refs/heads/untildone/');
  return tips === '' ? null : (tips.split('\n').at(-1) ?? null);
}
