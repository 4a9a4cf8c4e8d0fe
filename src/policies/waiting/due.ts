// Guesses whether a waiting run is due, without running a command.
import {
  type AwaitedCondition,
  type FileCondition,
  type PollCondition,
  stateOfCondition,
} from '#kernel/waiting/condition.ts';

export interface KnownOfWorld {
  /** Wall clock time. */
  readonly now: number;
  /** When the poll last ran to its end; null if it never did. */
  readonly lastPollAt: (suspensionId: string, poll: PollCondition) => number | null;
  readonly isFileThere: (file: FileCondition) => boolean;
}

/** Whether a driver might continue, send a reminder or run a poll. The driver decides: this is a guess. */
export function isDue(awaited: readonly AwaitedCondition[], known: KnownOfWorld): boolean {
  return awaited.some((one) => isOneDue(one, known));
}

function isOneDue(awaited: AwaitedCondition, { now, lastPollAt, isFileThere }: KnownOfWorld): boolean {
  if (awaited.kind !== 'suspension') return awaited.at <= now;
  const state = stateOfCondition(awaited.condition, (simple) => {
    switch (simple.kind) {
      case 'time':
        return simple.at <= now ? 'met' : 'pending';
      case 'manual':
        return awaited.isApproved ? 'met' : 'pending';
      case 'file':
        return isFileThere(simple) ? 'met' : 'pending';
      case 'poll':
        return isPollDue(simple, lastPollAt(awaited.suspensionId, simple), now) ? 'met' : 'pending';
    }
  });
  return state === 'met';
}

/** A poll in the future ran before the clock was set back. */
function isPollDue({ everyMs }: PollCondition, last: number | null, now: number): boolean {
  return last === null || last > now || last + everyMs <= now;
}
