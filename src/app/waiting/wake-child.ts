// Starts the driver of a waiting run as a process. Small: a waiting `watch` loads nothing else.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { isOutOfSight, readHolder } from '#adapters/store/holder.ts';
import { storePaths } from '#adapters/store/paths.ts';
import { startWake, type Woken } from '#adapters/waiting/start-wake.ts';
import type { WakeRecord } from '#adapters/waiting/wake-file.ts';
import { ownProgram } from '#app/own-files.ts';

/** Whether a living process drives the run. If that is not visible from here, the child checks the lock. */
export async function isHeld(stateHome: string, { repoId, runId }: WakeRecord): Promise<boolean> {
  const { holder } = storePaths({ stateHome, commonDir: '', repoId, viewsRoot: '' }).run(runId);
  return (await readHolder(holder)) !== null && !(await isOutOfSight(holder));
}

export interface WakeWish {
  /** Where the repository is now. */
  readonly root: string;
  readonly runId: string;
  readonly env: NodeJS.ProcessEnv;
  readonly late?: string;
}

export function wakeChild({ root, runId, env, late }: WakeWish): Woken {
  const { views } = storePaths({ stateHome: '', commonDir: '', repoId: '', viewsRoot: root }).run(runId);
  return startWake({
    program: ownProgram(),
    args: ['wake', runId, ...(late === undefined ? [] : ['--late', late])],
    cwd: root,
    env,
    log: views.wake,
  });
}

/** In another process, because journals take more memory than a watch should. Contract: never rejects. */
export async function searchLost(stateHome: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const [file, ...before] = ownProgram();
  const { promise, resolve } = Promise.withResolvers<string>();
  const options = { cwd: join(stateHome, 'untildone'), env, timeout: 600_000 };
  execFile(file, [...before, 'wake', '--lost'], options, (_, stdout) => resolve(stdout));
  return (await promise).split('\n').filter((line) => line !== '');
}
