// Describes each fact of a suspension in one line.
import { conditionWords, minuteOf } from '#kernel/waiting/condition-words.ts';
import type { SuspensionFact } from '#kernel/events/suspension-facts.ts';
import type { SuspensionEvent } from '#kernel/waiting/suspension.ts';
import type { EventSentences } from '#views/lines/event-sentences.ts';

export const suspensionSentences: EventSentences<SuspensionFact['type']> = {
  suspended: ({ taskId, isNow, by, why, condition }) => {
    const what = taskId === undefined ? 'the run' : `task ${taskId}`;
    const now = isNow === true ? '; sessions under way are ended' : '';
    return `${by} suspended ${what}: ${why} (waits ${conditionWords(condition)})${now}`;
  },
  'condition-met': (event) => `${event.what}; the wait is over${lateWords(event)}`,
  'suspension-expired': ({ looks, last }) =>
    `the wait ended after ${looks === 1 ? 'one poll' : `${looks} polls`} without success; the last: ${last}`,
  'suspension-approved': ({ by }) => `${by} approved; the rest of the condition is still open`,
  'suspension-ended': ({ by, how, why }) =>
    `${by} ended the wait (${how})${why === undefined ? '' : `: ${why}`}`,
  reminded: () => 'a reminder of the suspension was sent',
};

/** ` (due 2026-11-18 03:10 UTC, checked 2026-11-18 07:42 UTC: the machine slept)` */
export function lateWords({
  due,
  seenAt,
  late,
}: Extract<SuspensionEvent, { readonly type: 'condition-met' }>): string {
  if (due === undefined || late === undefined) return '';
  return ` (due ${minuteOf(due)}, checked ${minuteOf(seenAt)}: ${late})`;
}
