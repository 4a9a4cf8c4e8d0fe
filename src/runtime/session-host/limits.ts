// The limits of a running session: wall clock with a chance to wrap up, and silence while no tool call is open. Silence means
// that the client printed nothing: what it prints counts, whether or not it becomes an event.
import type { SessionEnding } from '#kernel/ending.ts';
import { durationWords } from '#kernel/model/duration-words.ts';
import type { SessionLimits } from '#kernel/step.ts';
import type { AgentEvent, AgentSession } from '#ports/agent.ts';

export interface LimitWatch {
  onEvent(event: AgentEvent): void;
  stop(): void;
}

/** When anything last came from the client. */
export interface LastHeard {
  at: number;
}

export interface Limited {
  readonly lastHeard: LastHeard;
  readonly session: AgentSession;
  readonly limits: SessionLimits;
  readonly end: (cause: SessionEnding, reason: string) => void;
}

export const wrapUpRequest =
  'Your time is over. Stop starting new work, leave the files in a consistent state, and give your final answer now.';

/** Timers take no more; such a limit is as good as none. */
const timerMsMax = 2 ** 31 - 1;

export function createLimits({ session, limits, lastHeard, end }: Limited): LimitWatch {
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

  const outOfTime = (): void =>
    end({ kind: 'timed-out', limit: 'wall', afterMs: limits.wallMs }, 'it ran out of time');
  after(limits.wallMs, () => {
    if (session.send === undefined) return outOfTime();
    // Whether it hears us or not, the grace runs from now.
    session.send(wrapUpRequest).catch(() => {});
    after(limits.graceMs, outOfTime);
  });

  lastHeard.at = performance.now();
  const openCalls = new Set<string>();
  const listen = (waitMs: number): void =>
    after(waitMs, () => {
      if (openCalls.size > 0) lastHeard.at = performance.now();
      const silentMs = performance.now() - lastHeard.at;
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
      lastHeard.at = performance.now();
      if (event.type === 'tool-call') openCalls.add(event.id);
      else if (event.type === 'tool-result') openCalls.delete(event.id);
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
