// What happened to criteria, in one sentence each.
import { describeCheck } from '#kernel/model/check.ts';
import type { Event } from '#kernel/events/events.ts';
import type { LoopEvent } from '#kernel/fold/loop.ts';
import { wholeTask } from '#kernel/fold/loop.ts';
import { shortened } from '#views/words.ts';
import type { CriteriaChange } from '#kernel/model/criterion.ts';

type CriteriaEvent =
  | LoopEvent
  | Extract<
      Event,
      { readonly type: 'criteria-changed' | 'criterion-proposed' | 'proposal-settled' | 'person-awaited' }
    >;

export function describeCriteriaEvent(event: CriteriaEvent): string {
  switch (event.type) {
    case 'criterion-attempted':
      return `${event.criterionId} was worked on; it is decided later`;
    case 'criterion-passed':
      return `${event.criterionId} passed`;
    case 'criterion-failed':
      return `${event.criterionId === wholeTask ? 'the whole' : event.criterionId} failed: ${shortened(event.reason, 200)}`;
    case 'criterion-reopened':
      return `${event.criterionId} is open again: ${shortened(event.reason, 200)}`;
    case 'iteration-started':
      return `pass ${event.iteration} over the criteria`;
    case 'person-awaited':
      return `a person is asked: ${event.why}`;
    case 'run-parked':
      return `parked: ${event.why}`;
    case 'criteria-changed':
      return `${describeChange(event.change)}, by ${event.by}${event.why === '' ? '' : `: ${event.why}`}`;
    case 'criterion-proposed':
      return `proposal ${event.proposalId} of ${event.by}: ${describeChange(event.change)}${event.why === '' ? '' : ` (${shortened(event.why, 160)})`}`;
    case 'proposal-settled':
      return `proposal ${event.proposalId} ${event.isAccepted ? 'accepted' : 'rejected'} by ${event.by}`;
  }
}

export function describeChange(change: CriteriaChange): string {
  switch (change.kind) {
    case 'add':
      return `add ${change.criterion.id}: ${shortened(change.criterion.text, 100)} (by ${describeCheck(change.criterion.check)})`;
    case 'replace':
      return `change ${change.criterion.id}: ${shortened(change.criterion.text, 100)} (by ${describeCheck(change.criterion.check)}${change.criterion.required ? '' : ', not required'})`;
    case 'remove':
      return `remove ${change.criterionId}`;
    case 'skip':
      return `skip ${change.criterionId}`;
  }
}
