// The limits of a running session: wall clock with a chance to wrap up, silence while no tool call is open.
// Any output of the client breaks the silence, even if it becomes no event.
import type { SessionEnding } from '#kernel/model/ending.ts';
import { durationWords } from '#base/duration-words.ts';
import type { AgentEvent, AgentSession } from '#ports/agent.ts';
import type { SessionLimits } from '#kernel/model/budget.ts';

export interface LimitWatch {
  onEvent(event: AgentEvent): void;
  stop(): void;
}

/** When the client last sent anything. */
export interface LastOutput {
  at: number;
}

export interface Limited {
  readonly lastOutput: LastOutput;
  readonly session: AgentSession;
  readonly limits: SessionLimits;
  readonly end: (cause: SessionEnding, reason: string) => void;
  /** Shows a sentence to the user, and writes it to the log. */
  readonly notify: (text: string) => void;
  /** Stops the turn so that its conversation can be resumed; the session then ends as `as`. */
  readonly interrupt: (as: SessionEnding) => void;
}

export const wrapUpRequest =
  'Your time is over. Stop starting new work, leave the files in a consistent state, and give your final answer now.';

/** Timers accept no more; such a limit is as good as none. */
const timerMsMax = 2 ** 31 - 1;

export function createLimits(limited: Limited): LimitWatch {
  const { session, limits, lastOutput, end } = limited;
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, act: () => void): void => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        act();
      },
      Math.min(Math.max(ms, 1), timerMsMax),
    );
    timers.add(timer);
  };

  const setting = limits.wrapUp?.setting;
  const tooLong: SessionEnding = {
    kind: 'timed-out',
    limit: 'wall',
    afterMs: limits.wallMs,
    ...(setting === undefined ? {} : { setting }),
  };
  const outOfTime = (): void => end(tooLong, 'it ran out of time');
  after(limits.wallMs, () => {
    if (limits.wrapUp !== undefined) return wrapUp(limited, limits.wrapUp, { after, tooLong, outOfTime });
    if (session.send === undefined) return outOfTime();
    // The grace time starts now, whether or not the agent reads the request.
    session.send(wrapUpRequest).catch(() => {});
    after(limits.graceMs, outOfTime);
  });

  lastOutput.at = performance.now();
  const openCalls = new Set<string>();
  const listen = (waitMs: number): void =>
    after(waitMs, () => {
      if (openCalls.size > 0) lastOutput.at = performance.now();
      const silentMs = performance.now() - lastOutput.at;
      if (silentMs < limits.idleMs) listen(limits.idleMs - silentMs);
      else
        end(
          { kind: 'timed-out', limit: 'idle', afterMs: limits.idleMs },
          `it was silent for ${durationWords(limits.idleMs)}`,
        );
    });
  listen(limits.idleMs);

  return {
    onEvent: (event) => {
      lastOutput.at = performance.now();
      if (event.type === 'tool-call') openCalls.add(event.id);
      else if (event.type === 'tool-result') openCalls.delete(event.id);
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

interface WallTime {
  readonly after: (ms: number, act: () => void) => void;
  readonly tooLong: SessionEnding;
  readonly outOfTime: () => void;
}

/** Asks, interrupts after half of the grace time, closes at its end. The grace time starts now. */
function wrapUp(
  { session, limits, notify, interrupt }: Limited,
  { text, notice }: NonNullable<SessionLimits['wrapUp']>,
  { after, tooLong, outOfTime }: WallTime,
): void {
  notify(notice);
  if (session.send === undefined && session.interrupt === undefined) return outOfTime();
  if (session.send === undefined) interrupt(tooLong);
  else {
    session.send(text).catch(() => {});
    after(limits.graceMs / 2, () => interrupt(tooLong));
  }
  after(limits.graceMs, outOfTime);
}
