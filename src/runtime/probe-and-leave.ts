// Decides whether an idle driver leaves. It checks the conditions first, or it would be woken over and over.
import type { Lookout, Sighting } from '#ports/lookout.ts';
import type { Mailbox } from './mailbox.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';
import type { DriveOptions } from './drive-options.ts';

export interface Quiet<Message> {
  readonly until: readonly AwaitedCondition[];
  readonly mailbox: Mailbox<Message>;
  readonly lookout: Lookout;
  readonly options: Pick<DriveOptions, 'leaveWhenParked'>;
}

/** A sighting is recorded before any other decision. */
export async function probeAndLeave<Message>({
  until,
  mailbox,
  lookout,
  options,
}: Quiet<Message>): Promise<'leave' | 'stay' | Sighting> {
  if (mailbox.hasSome() || !(await options.leaveWhenParked(until))) return 'stay';
  const probe = until.length === 0 ? null : lookout.probe(until);
  const sighting = await Promise.race([probe, mailbox.arrival().then(() => null)]);
  if (sighting !== null) return sighting;
  return mailbox.hasSome() ? 'stay' : 'leave';
}
