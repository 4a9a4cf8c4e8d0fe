// Sessions that an interactive client holds: they begin without us, are looked at, and have ended when their client is gone.
import type { SessionResult, Step } from '#kernel/model/step.ts';
import type { LeftSession, LostSession, RunningSession, Sessions, SessionStep } from '#ports/sessions.ts';
import { logName } from './log-file.ts';

export interface ForeignSessionsOptions {
  /** Serves every other session. */
  readonly own: Sessions;
  readonly isForeign: (step: Step) => boolean;
  /** Whether the client still holds the session. */
  readonly isLive: () => boolean;
  /** Takes and keeps the files as they are. */
  readonly takeTree: (step: SessionStep) => Promise<string | null>;
}

export function createForeignSessions({
  own,
  isForeign,
  isLive,
  takeTree,
}: ForeignSessionsOptions): Sessions {
  const end = async (step: SessionStep): Promise<SessionResult> => resultOf(step, await takeTree(step));
  return {
    // The next session is rarely ours.
    warm: () => {},
    start: (step, order) => (isForeign(step) ? hold(step) : own.start(step, order)),
    adopt: async (step) => {
      if (!isForeign(step)) return own.adopt(step);
      return isLive() ? { kind: 'living', session: hold(step) } : end(step);
    },
    close: () => own.close(),
  };
}

/** Nothing that we do ends it: a driver waits no longer for it, or leaves it to the next one. */
function hold(step: SessionStep): RunningSession {
  const ended = Promise.withResolvers<SessionResult | LostSession | LeftSession>();
  return {
    ended: ended.promise,
    steer: (steer) => {
      if (steer.kind !== 'kill') return;
      ended.resolve({
        ...resultOf(step, null),
        ending: { kind: 'cancelled', reason: `${steer.reason}; its client was not touched` },
      });
    },
    leave: () => ended.resolve({ kind: 'left' }),
  };
}

function resultOf({ deed }: SessionStep, endTree: string | null): SessionResult {
  return {
    kind: 'session',
    ending: { kind: 'finished' },
    signal: null,
    // Paid for by whoever typed; nobody tells us how much.
    usage: { usd: 0, tokens: 0 },
    endTree,
    log: logName(deed.role, deed.ordinal, Date.now()),
    ran: { driver: 'foreign', model: null },
  };
}
