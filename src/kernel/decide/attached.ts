// Attached sessions: an interactive client holds them, and a person types there. The run waits for their end.
import type { Run } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';

/** In `agents.<name>.driver`. */
export const attachedDriver = 'foreign';

export function isAttachedStep(run: Run, { deed }: Step): boolean {
  return deed.kind === 'session' && run.config.agents[deed.agent.name]?.driver === attachedDriver;
}

/** What the run waits for if only an attached session runs; else null. */
export function attachedWait(run: Run): string | null {
  return run.running.size > 0 && isOnlyAttached(run)
    ? 'the end of the interactive session that works on it'
    : null;
}

/** None of our own steps runs: a driver may leave, and the session continues. */
export function isOnlyAttached(run: Run): boolean {
  for (const step of run.running.values()) if (!isAttachedStep(run, step)) return false;
  return true;
}
