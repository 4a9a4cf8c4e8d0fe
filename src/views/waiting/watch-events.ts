// The messages of `watch`, in one line each.
import { minuteOf } from '#kernel/waiting/condition-words.ts';

export interface WatchEvent {
  readonly kind: 'watching' | 'found' | 'woken' | 'ended' | 'note';
  readonly at: number;
  readonly runId?: string;
  readonly root?: string;
  readonly text: string;
}

/** `2026-11-18 03:10:05 UTC 20261117-2210-ab12: woken (pid 42)` */
export function watchLine({ at, runId, text }: WatchEvent): string {
  const time = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return runId === undefined ? `${time} ${text}` : `${time} ${runId}: ${text}`;
}

export function watchJson({ at, ...event }: WatchEvent): object {
  return { at: new Date(at).toISOString(), ...event };
}

export function lateWords({ due, seenAt, late }: { due: number; seenAt: number; late: string }): string {
  return `due ${minuteOf(due)}, checked ${minuteOf(seenAt)}: ${late}`;
}

/** By the exit code of its driver. */
export function endWords(code: number | null): string {
  if (code === null) return 'its driver was killed, or could not be started';
  if (code === 0) return 'its driver ended (exit 0)';
  if (code === 6) return 'its driver left it parked (exit 6)';
  return `its driver ended with exit ${code}; see wake.log of the run`;
}
