// Attached sessions: an interactive client holds them, and a person types there. The run waits for their end.
import type { Run } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';

/** In `agents.<name>.driver`. */
export const foreignDriver = 'foreign';

export function isForeign(run: Run, { deed }: Step): boolean {
  return deed.kind === 'session' && run.config.agents[deed.agent.name]?.driver === foreignDriver;
}

/** What the run waits for if only an attached session runs; else null. */
export function foreignWait(run: Run): string | null {
  return run.running.size > 0 && isOnlyForeign(run)
    ? 'the end of the interactive session that works on it'
    : null;
}

/** None of our own steps runs: a driver may leave, and the session continues. */
export function isOnlyForeign(run: Run): boolean {
  for (const step of run.running.values()) if (!isForeign(run, step)) return false;
  return true;
}
