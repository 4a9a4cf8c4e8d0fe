// The facts of a suspension, in one line each.
import { conditionWords, minuteOf } from '#kernel/waiting/condition-words.ts';
import type { SuspensionEvent } from '#kernel/waiting/suspension.ts';

export function describeSuspensionEvent(event: SuspensionEvent): string {
  switch (event.type) {
    case 'suspended': {
      const what = event.taskId === undefined ? 'the run' : `task ${event.taskId}`;
      const now = event.isNow === true ? '; sessions under way are ended' : '';
      return `${event.by} suspended ${what}: ${event.why} (waits ${conditionWords(event.condition)})${now}`;
    }
    case 'condition-met':
      return `${event.what}; the wait is over${lateWords(event)}`;
    case 'suspension-expired':
      return `the wait was given up after ${event.looks === 1 ? 'one look' : `${event.looks} looks`}; the last: ${event.last}`;
    case 'suspension-approved':
      return `${event.by} approved; the rest of the condition is still open`;
    case 'suspension-ended':
      return `${event.by} ended the wait (${event.how})${event.why === undefined ? '' : `: ${event.why}`}`;
    case 'reminded':
      return 'a reminder of the suspension was sent';
  }
}

/** ` (due 2026-11-18 03:10 UTC, checked 2026-11-18 07:42 UTC: the machine slept)` */
export function lateWords({
  due,
  seenAt,
  late,
}: Extract<SuspensionEvent, { readonly type: 'condition-met' }>): string {
  if (due === undefined || late === undefined) return '';
  return ` (due ${minuteOf(due)}, checked ${minuteOf(seenAt)}: ${late})`;
}
