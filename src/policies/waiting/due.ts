// What of a waiting run seems to be due, by what is known without running a command.
import {
  type Awaited,
  type FileCondition,
  type PollCondition,
  stateOfCondition,
} from '#kernel/waiting/condition.ts';

export interface KnownOfWorld {
  /** By the wall clock. */
  readonly now: number;
  /** When the last look of the poll ended; null where there was none. */
  readonly lastLook: (suspensionId: string, poll: PollCondition) => number | null;
  readonly isFileThere: (file: FileCondition) => boolean;
}

/** A driver would go on, send a reminder, or look at a command. It decides: this is only a guess. */
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

/** A look from the future is one from before the clock was set back. */
function isLookDue({ everyMs }: PollCondition, last: number | null, now: number): boolean {
  return last === null || last > now || last + everyMs <= now;
}
