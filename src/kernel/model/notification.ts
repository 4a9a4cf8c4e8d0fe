// What a person is told of a run, wherever they are. Plain JSON: it is sent as it stands.
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

/** A test tells of no run: a person asked for it. */
export type NotificationKind = (typeof notificationKinds)[number] | 'test';

export interface Notification {
  /** Unique for what it tells of: whoever gets one twice may drop the second. */
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
  /** Null as long as the run is not over. */
  readonly outcome: Outcome | null;
  readonly task: string | null;
  /** What to type about it. */
  readonly commands: readonly string[];
}
