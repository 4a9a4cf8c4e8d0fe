// Decisions that came from nobody knows whom: refused, and told to the person who might wonder.
import { unprovenPrefix } from '#kernel/events/control.ts';
import type { Run } from '#kernel/fold/run.ts';
import { count } from '#views/words.ts';

export function unprovenLines(run: Run): string[] {
  const ids = [...run.controls.keys()].filter((id) => id.startsWith(unprovenPrefix));
  if (ids.length === 0) return [];
  return [
    `⚠️  ${count(ids.length, 'decision')} refused: it is not certain that a person asked. See: untildone show ${run.id}`,
  ];
}
