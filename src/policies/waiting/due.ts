// Guesses whether a waiting run is due, without running a command.
import {
  type Awaited,
  type FileCondition,
  type PollCondition,
  stateOfCondition,
} from '#kernel/waiting/condition.ts';

export interface KnownOfWorld {
  /** Wall clock time. */
  readonly now: number;
  /** When the poll last ran to its end; null if it never did. */
  readonly lastLook: (suspensionId: string, poll: PollCondition) => number | null;
  readonly isFileThere: (file: FileCondition) => boolean;
}

/** Whether a driver might continue, send a reminder or run a poll. The driver decides: this is a guess. */
export function isDue(awaited: readonly Awaited[], known: KnownOfWorld): boolean {
  return awaited.some((one) => isOneDue(one, known));
}

function isOneDue(awaited: Awaited, { now, lastLook, isFileThere }: KnownOfWorld): boolean {
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
        return isLookDue(simple, lastLook(awaited.suspensionId, simple), now) ? 'met' : 'pending';
    }
  });
  return state === 'met';
}

/** A poll in the future ran before the clock was set back. */
function isLookDue({ everyMs }: PollCondition, last: number | null, now: number): boolean {
  return last === null || last > now || last + everyMs <= now;
}
