// Sends prompts one by one until none waits, the agent gives up, or we interrupt it.
import type { OpenSession } from './open-session.ts';
import { PeerGone, type Peer } from '#agents/shared/json-rpc.ts';
import { outcomeOfStop, type Outcome } from '#agents/shared/outcome.ts';
import type { Fields } from '#agents/shared/json.ts';

export interface Turns {
  /** Contract: rejects with the peer's errors. */
  readonly ended: Promise<Outcome>;
  /** Sent when the running turn is over: the protocol cannot steer a turn. */
  say(text: string): void;
  /** Contract: `ended` then resolves to `interrupted`, at the latest after `graceMs`. */
  interrupt(graceMs: number): void;
}

export interface TurnsWorld {
  readonly peer: Peer;
  readonly session: OpenSession;
  readonly onReply: (reply: Fields) => void | Promise<void>;
}

export function holdTurns(prompt: string, { peer, session, onReply }: TurnsWorld): Turns {
  const waiting: string[] = [prompt];
  const interrupted = Promise.withResolvers<Outcome>();
  const stopped: Outcome = { kind: 'interrupted', resumeId: session.id };
  let isInterrupted = false;

  const hold = async (): Promise<Outcome> => {
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      const reply = await peer.request('session/prompt', {
        sessionId: session.id,
        prompt: [{ type: 'text', text }],
      });
      await onReply(reply);
      // A turn that ended well at the moment of the interrupt counts as ended well.
      if (isInterrupted && reply['stopReason'] !== 'end_turn') return stopped;
      const outcome = outcomeOfStop(reply['stopReason']);
      if (outcome !== null) return outcome;
      if (isInterrupted) return { kind: 'finished' };
    }
    return { kind: 'finished' };
  };

  /** An agent that exits when asked to stop has stopped. */
  const held = hold().catch((error: unknown) => {
    if (isInterrupted && error instanceof PeerGone) return stopped;
    throw error;
  });
  return {
    ended: Promise.race([held, interrupted.promise]),
    say: (text) => {
      waiting.push(text);
    },
    interrupt: (graceMs) => {
      if (isInterrupted) return;
      isInterrupted = true;
      peer.notify('session/cancel', { sessionId: session.id });
      setTimeout(() => interrupted.resolve(stopped), graceMs).unref();
    },
  };
}
