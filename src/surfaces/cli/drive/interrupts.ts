// Ctrl-C once pauses, twice stops; a run that only waits is just left. SIGHUP and SIGTERM count as the first.
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { elapsed } from '#views/words.ts';
import { dropControl } from '#app/controls/controls.ts';

export interface Interrupts {
  /** True once the driver should leave the run instead of waiting for a person. */
  isLeaving(): boolean;
  readonly signal: AbortSignal;
  dispose(): void;
}

export interface Interrupted {
  readonly site: Site;
  readonly runId: string;
  readonly currentRun: () => Run | null;
  readonly print: (text: string) => void;
  /** Whether the run only waits for a time, a command, a file or the end of a limit. */
  readonly isWaiting?: () => boolean;
}

export function watchInterrupts({ site, runId, currentRun, print, isWaiting }: Interrupted): Interrupts {
  const abort = new AbortController();
  let asked = 0;
  const ask = (isStop: boolean): void => {
    asked += 1;
    if (isWaiting?.() === true) return abort.abort();
    if (asked === 1 && !isStop) return runControl(pause);
    if (asked <= 2) return runControl(stop);
    // A third time: leave at once. Running processes are ended, and nothing recorded is lost.
    abort.abort();
  };
  const pause = async (): Promise<void> => {
    print(pauseMessage(runId, currentRun(), { isAtTerminal: true }));
    await dropControl(site, runId, { kind: 'pause', why: 'interrupted at the terminal' });
  };
  const stop = async (): Promise<void> => {
    print('Stopping now …');
    await dropControl(site, runId, { kind: 'stop', now: true, why: 'stopped at the terminal' });
  };
  // If a control cannot be sent (a full disk), we must still react.
  const runControl = (act: () => Promise<void>): void => void act().catch(() => abort.abort());
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

export interface PauseWish {
  /** Sessions are ended, not waited for. */
  readonly isNow?: boolean;
  /** Requested by Ctrl-C, so the next Ctrl-C stops the run. */
  readonly isAtTerminal?: boolean;
}

export function pauseMessage(
  runId: string,
  run: Run | null,
  { isNow = false, isAtTerminal = false }: PauseWish = {},
): string {
  const lines = [`Pausing. Continue later with: untildone resume ${runId}`];
  const wait = sessionWait(run);
  if (wait === null) return lines.join('\n');
  if (isNow) {
    lines.push('The running session is ended. Its files are kept, and `resume` continues the attempt.');
  } else {
    const orStop = isAtTerminal ? '; Ctrl-C again stops the run.' : '';
    lines.push(`${wait}; end it at once: untildone pause --now ${runId}${orStop}`);
  }
  return lines.join('\n');
}

/** How long the sessions under way may take, of one task or of all; null if there is none. */
export function sessionWait(run: Run | null, of: string | null = null): string | null {
  const sessions = [...(run?.running.values() ?? [])].flatMap(({ deed, taskId }) =>
    deed.kind === 'session' && (of === null || taskId === of) ? [deed] : [],
  );
  if (sessions.length === 0) return null;
  // A plain command reads no input while it works; for other agents it depends on the client.
  const isDeaf = sessions.some(({ agent }) => run?.config.agents[agent.name]?.driver === 'command');
  const words = isDeaf
    ? 'A session is running, and its agent cannot be interrupted: this takes'
    : 'A session is running. If its agent cannot be interrupted, this takes';
  return `${words} up to ${elapsed(Math.max(...sessions.map(({ limits }) => limits.wallMs)))}`;
}
