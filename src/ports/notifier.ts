// One channel that reaches a person who is away from the terminal.
import type { Notification } from '#kernel/model/notification.ts';

export interface Notifier {
  /** The channel and its target, for messages. Contract: contains no secret. */
  readonly name: string;
  /**
   * Contract: one try. Never throws, never rejects. Settles soon after `signal` aborts, and leaves no process
   * alive. Title and text come from agents and files: they must not control the program that shows them.
   */
  send(notification: Notification, signal: AbortSignal): Promise<Delivery>;
}

export type Delivery =
  | { readonly kind: 'delivered' }
  /** This channel reaches no person now, which is no error: there is no terminal, for example. */
  | { readonly kind: 'skipped'; readonly why: string }
  | {
      readonly kind: 'failed';
      readonly problem: string;
      /** Whether a second try may succeed and does no harm. */
      readonly mayRetry: boolean;
      /** As the receiver asked. */
      readonly retryAfterMs?: number;
    };
