// A notification about a run for a person. Plain JSON, sent without change.
import type { Outcome } from './outcome.ts';

export const notificationKinds = [
  'completed',
  'unverified',
  'failed',
  'exhausted',
  'blocked',
  'drifted',
  'needs-input',
  'parked',
  'budget-nearly-spent',
  'security-stop',
] as const;

/** A test notification belongs to no run: a person asked for it. */
export type NotificationKind = (typeof notificationKinds)[number] | 'test';

export interface Notification {
  /** Unique per occasion: a receiver may drop the second one with the same id. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly run: string;
  readonly repository: string;
  readonly goal: string;
  readonly preset: string;
  /** Null as long as the run has not ended. */
  readonly outcome: Outcome | null;
  readonly task: string | null;
  /** Commands that the person can run next. */
  readonly commands: readonly string[];
}
