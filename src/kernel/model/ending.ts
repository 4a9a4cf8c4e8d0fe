// How a process or a session ended. Always a union: a number with a default would turn a kill into a success.
import { durationWords } from '#base/duration-words.ts';

export type ProcessEnding =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out'; readonly limit: 'wall' | 'idle'; readonly afterMs: number }
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'not-started'; readonly reason: string };

export type SessionEnding =
  /** The client's final result was read. Only with this ending can a reviewer's verdict be valid. */
  | { readonly kind: 'finished' }
  /** We stopped the session so that it can be resumed (`resumeId`). */
  | { readonly kind: 'interrupted'; readonly resumeId: string }
  /** `afterMs`: the limit that it reached; absent in older runs. */
  | {
      readonly kind: 'timed-out';
      readonly limit: 'wall' | 'idle';
      readonly afterMs?: number;
      /** The setting that the limit comes from, if it is not the session's own. */
      readonly setting?: string;
    }
  | { readonly kind: 'over-limit'; readonly limit: 'usd' | 'tokens' }
  /** The client exited without a result. */
  | { readonly kind: 'crashed'; readonly detail: string }
  /** The client reported an error. `resetAt` is set for a usage limit with a known end. */
  | {
      readonly kind: 'failed';
      readonly errorClass: SessionErrorClass;
      readonly detail: string;
      readonly resetAt?: number;
    }
  /** Killed by us, or by the host because the driver was gone. */
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'not-started'; readonly reason: string };

export type SessionErrorClass =
  | 'authentication'
  | 'invalid-request'
  | 'unknown-model'
  | 'usage-limit'
  | 'overloaded'
  | 'network'
  | 'context-overflow'
  | 'refusal'
  /** The client cannot continue the conversation to resume. Never used if it began a new one. */
  | 'conversation-gone'
  | 'other';

/** Whether the same request may succeed later. */
export function isTransient(errorClass: SessionErrorClass): boolean {
  return errorClass === 'usage-limit' || errorClass === 'overloaded' || errorClass === 'network';
}

/** Whether the work can continue at once in a new conversation: the agent has not received its task. */
export function isConversationGone(ending: SessionEnding): boolean {
  return ending.kind === 'failed' && ending.errorClass === 'conversation-gone';
}

export function describeProcessEnding(ending: ProcessEnding): string {
  switch (ending.kind) {
    case 'exited':
      return `exit ${ending.code}`;
    case 'signalled':
      return `killed by ${ending.signal}`;
    case 'timed-out':
      return ending.limit === 'wall'
        ? `timed out after ${durationWords(ending.afterMs)}`
        : `silent for ${durationWords(ending.afterMs)}`;
    case 'cancelled':
      return `cancelled: ${ending.reason}`;
    case 'not-started':
      return `could not be started: ${ending.reason}`;
  }
}

export function describeSessionEnding(ending: SessionEnding): string {
  switch (ending.kind) {
    case 'finished':
      return 'finished';
    case 'interrupted':
      return 'interrupted, can be resumed';
    case 'timed-out':
      return timedOutWords(ending);
    case 'over-limit':
      return `exceeded its ${ending.limit} limit`;
    case 'crashed':
      return `crashed: ${ending.detail}`;
    case 'failed':
      return `failed (${ending.errorClass}): ${ending.detail}`;
    case 'cancelled':
      return `was ended: ${ending.reason}`;
    case 'not-started':
      return `could not be started: ${ending.reason}`;
  }
}

function timedOutWords({
  limit,
  afterMs,
  setting = `session.${limit === 'wall' ? 'timeout' : 'idleTimeout'}`,
}: Extract<SessionEnding, { readonly kind: 'timed-out' }>): string {
  const time = afterMs === undefined ? null : durationWords(afterMs);
  if (limit === 'wall')
    return time === null ? 'ran out of time' : `ran out of time after ${time} (${setting})`;
  return time === null ? 'fell silent' : `fell silent: no output for ${time} (${setting})`;
}
