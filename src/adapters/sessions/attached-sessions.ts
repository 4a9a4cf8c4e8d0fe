// Attached sessions, which an interactive client holds: they start without us and end with their client.
import type { SessionResult, Step } from '#kernel/model/step.ts';
import type { LeftSession, LostSession, RunningSession, Sessions, SessionStep } from '#ports/sessions.ts';
import { logName } from './log-file.ts';

export interface AttachedSessionsOptions {
  /** Serves all other sessions. */
  readonly own: Sessions;
  readonly isAttachedStep: (step: Step) => boolean;
  /** Whether the client still holds the session. */
  readonly isLive: () => boolean;
  /** Takes the present files as a tree and keeps it. */
  readonly takeTree: (step: SessionStep) => Promise<string | null>;
}

export function createAttachedSessions({
  own,
  isAttachedStep,
  isLive,
  takeTree,
}: AttachedSessionsOptions): Sessions {
  const end = async (step: SessionStep): Promise<SessionResult> => resultOf(step, await takeTree(step));
  return {
    // The next session is rarely ours.
    warm: () => {},
    start: (step, order) => (isAttachedStep(step) ? hold(step) : own.start(step, order)),
    adopt: async (step) => {
      if (!isAttachedStep(step)) return own.adopt(step);
      return isLive() ? { kind: 'living', session: hold(step) } : end(step);
    },
    close: () => own.close(),
  };
}

/** We cannot end it: a driver stops waiting for it, or leaves it to the next driver. */
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
    // The client's user pays, and the amount is unknown.
    usage: { usd: 0, tokens: 0 },
    endTree,
    log: logName(deed.role, deed.ordinal, Date.now()),
    ran: { driver: 'foreign', model: null },
  };
}
