// What the work brings that runs on the user's machine once it has landed: one line, none where there is nothing.
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
import { shortened } from '#views/words.ts';

const shownMax = 20;

export function afterLandingLines(found: readonly RunsAfterLanding[] = []): string[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, shownMax).map(({ path, change }) => `${shortened(path, 100)} (${change})`);
  const more = found.length > shownMax ? [`and ${found.length - shownMax} more`] : [];
  return [`Runs on your machine after landing: ${[...shown, ...more].join(', ')}`];
}
