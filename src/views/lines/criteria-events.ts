// Describes what happened to criteria, in one sentence each.
import { describeCheck } from '#kernel/model/check.ts';
import type { CriteriaFact, LoopFact } from '#kernel/events/criteria-facts.ts';
import { wholeTask } from '#kernel/fold/loop.ts';
import { shortened } from '#views/words.ts';
import type { CriteriaChange } from '#kernel/model/criterion.ts';
import type { EventSentences } from './event-sentences.ts';

export const criteriaSentences: EventSentences<LoopFact['type'] | CriteriaFact['type']> = {
  'criterion-attempted': ({ criterionId }) => `${criterionId} was worked on; the decision comes later`,
  'criterion-passed': ({ criterionId }) => `${criterionId} passed`,
  'criterion-failed': ({ criterionId, reason }) =>
    `${criterionId === wholeTask ? 'the whole' : criterionId} failed: ${shortened(reason, 200)}`,
  'criterion-reopened': ({ criterionId, reason }) =>
    `${criterionId} is open again: ${shortened(reason, 200)}`,
  'iteration-started': ({ iteration }) => `pass ${iteration} over the criteria`,
  'run-parked': ({ why }) => `parked: ${why}`,
  'criteria-changed': ({ change, by, why }) =>
    `${describeChange(change)}, by ${by}${why === '' ? '' : `: ${why}`}`,
  'criterion-proposed': ({ proposalId, by, change, why }) =>
    `proposal ${proposalId} of ${by}: ${describeChange(change)}${why === '' ? '' : ` (${shortened(why, 160)})`}`,
  'proposal-settled': ({ proposalId, isAccepted, by }) =>
    `proposal ${proposalId} ${isAccepted ? 'accepted' : 'rejected'} by ${by}`,
};

export function describeChange(change: CriteriaChange): string {
  if (change.kind === 'remove' || change.kind === 'skip') return `${change.kind} ${change.criterionId}`;
  const { id, text, check, required } = change.criterion;
  const words = `${id}: ${shortened(text, 100)} (by ${describeCheck(check)}`;
  return change.kind === 'add' ? `add ${words})` : `change ${words}${required ? '' : ', not required'})`;
}
