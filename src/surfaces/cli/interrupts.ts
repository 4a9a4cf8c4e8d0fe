// Ctrl-C once pauses, twice stops. A hang-up or a polite kill is like the first one.
import type { Site } from '#compose/site.ts';
import type { Run } from '#kernel/run.ts';
import { elapsed } from '#views/words.ts';
import { dropControl } from './drop-control.ts';

export interface Interrupts {
  /** True once the driver should give the run up instead of waiting for a person. */
  isLeaving(): boolean;
  readonly signal: AbortSignal;
  dispose(): void;
}

export interface Interrupted {
  readonly site: Site;
  readonly runId: string;
  readonly currentRun: () => Run | null;
  readonly say: (text: string) => void;
}

export function watchInterrupts({ site, runId, currentRun, say }: Interrupted): Interrupts {
  const abort = new AbortController();
  let asked = 0;
  const ask = (isStop: boolean): void => {
    asked += 1;
    if (asked === 1 && !isStop) return hand(pause);
    if (asked <= 2) return hand(stop);
    // A third time: leave at once. What runs is ended, nothing recorded is lost.
    abort.abort();
  };
  const pause = async (): Promise<void> => {
    say(pauseMessage(runId, currentRun(), 'Ctrl-C again'));
    await dropControl(site, runId, { kind: 'pause', why: 'interrupted at the terminal' });
  };
  const stop = async (): Promise<void> => {
    say('Stopping now …');
    await dropControl(site, runId, { kind: 'stop', now: true, why: 'stopped at the terminal' });
  };
  // A control that cannot be handed over (a full disk) must not leave us deaf.
  const hand = (act: () => Promise<void>): void => void act().catch(() => abort.abort());
  const onInterrupt = (): void => ask(false);
  const onGentle = (): void => {
    if (asked === 0) ask(false);
  };
  process.on('SIGINT', onInterrupt).on('SIGTERM', onGentle).on('SIGHUP', onGentle);
  return {
    isLeaving: () => asked > 0,
    signal: abort.signal,
    dispose: () => void process.off('SIGINT', onInterrupt).off('SIGTERM', onGentle).off('SIGHUP', onGentle),
  };
}

/** `stopNow` is what a person does who cannot wait. */
export function pauseMessage(runId: string, run: Run | null, stopNow: string): string {
  const lines = [`Pausing. Go on later with: untildone resume ${runId}`];
  const limit = longestSession(run);
  if (limit !== null) {
    lines.push(
      `A session is under way. If its agent cannot be interrupted, it is let finish, which may take up to ${elapsed(limit)}; ${stopNow} does not wait.`,
    );
  }
  return lines.join('\n');
}

function longestSession(run: Run | null): number | null {
  const limits = [...(run?.running.values() ?? [])].flatMap(({ deed }) =>
    deed.kind === 'session' ? [deed.limits.wallMs] : [],
  );
  return limits.length === 0 ? null : Math.max(...limits);
}
