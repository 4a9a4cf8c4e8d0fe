// A criterion that a person approved: who, when, and what.
import type { CriterionView } from '#views/status/criteria.ts';
import { shortened } from '#views/words.ts';

export function isByPerson({ state, reason }: CriterionView): boolean {
  return state === 'pass' && reason !== null && reason.startsWith('approved by ');
}

/** A criterion that only a person decides has no command, so its text says what was approved. */
export function approvalText({ by, text, reason }: CriterionView): string {
  const words = (reason ?? '').replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/, '$1 $2 UTC');
  return by === 'a person' ? `${shortened(text, 100)}, ${words}` : words;
}
