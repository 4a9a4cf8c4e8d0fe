// A session that is not ours: an interactive client holds it, in which a person types. The run waits for its end.
import type { Run } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';

/** In `agents.<name>.driver`. */
export const foreignDriver = 'foreign';

export function isForeign(run: Run, { deed }: Step): boolean {
  return deed.kind === 'session' && run.config.agents[deed.agent.name]?.driver === foreignDriver;
}

/** What the run waits for when all that runs is somebody else's session; null when that is not so. */
export function foreignWait(run: Run): string | null {
  return run.running.size > 0 && isOnlyForeign(run)
    ? 'the end of the interactive session that works on it'
    : null;
}

/** Nothing of ours runs: a driver may leave, and the session goes on. */
export function isOnlyForeign(run: Run): boolean {
  for (const step of run.running.values()) if (!isForeign(run, step)) return false;
  return true;
}
