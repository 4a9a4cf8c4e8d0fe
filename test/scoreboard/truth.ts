// The true state of the work, found without the program: from the files of its branch.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ground } from './ground.ts';
import { programFolders } from './ground.ts';
import type { Staging } from './staging.ts';

export interface Truth {
  readonly isDone: boolean;
  /** Pinned files that are not as they were. */
  readonly weakened: readonly string[];
}

export function findTruth(ground: Ground, staging: Staging, base: string): Truth {
  const tip = branchTip(ground);
  if (tip === null) return { isDone: false, weakened: [] };
  const folder = join(ground.folder, 'truth');
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', tip], { cwd: ground.repo, env: ground.env });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  // Without the first folder of the PATH: an agent can have put programs there.
  const { status } = spawnSync('/bin/sh', ['-c', staging.truth], {
    cwd: folder,
    env: { ...ground.env, PATH: programFolders.join(':') },
    timeout: 600_000,
  });
  const changed =
    staging.pinned.length === 0
      ? []
      : ground.git('diff', '--name-only', base, tip, '--', ...staging.pinned).split('\n');
  const weakened = changed.filter((path) => path !== '' && !staging.mayChange.includes(path));
  return { isDone: status === 0, weakened };
}

function branchTip(ground: Ground): string | null {
  const tips = ground.git('for-each-ref', '--format=%(objectname)', 'refs/heads/untildone/');
  return tips === '' ? null : (tips.split('\n').at(-1) ?? null);
}
