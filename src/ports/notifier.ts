// One way to reach a person who is not looking.
import type { Notification } from '#kernel/model/notification.ts';

export interface Notifier {
  /** What it is and where it leads, for messages. Contract: holds nothing secret. */
  readonly name: string;
  /**
   * Contract: one try. Never throws and never rejects; settles soon after `signal` is aborted, with nothing of it left alive.
   * Title and text come from agents and files: they must not steer what shows them.
   */
  send(notification: Notification, signal: AbortSignal): Promise<Delivery>;
}

export type Delivery =
  | { readonly kind: 'delivered' }
  /** There is nobody to reach this way, and that is no trouble: no terminal, for example. */
  | { readonly kind: 'skipped'; readonly why: string }
  | {
      readonly kind: 'failed';
      readonly problem: string;
      /** Whether the same may well succeed later, without doing harm twice. */
      readonly mayRetry: boolean;
      /** As the receiver asked for. */
      readonly retryAfterMs?: number;
    };
