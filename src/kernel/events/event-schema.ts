// Reads events that another version of this program may have written, or that may be damaged.
import { isRecord } from '#base/record.ts';
import { withMissingSettings } from './first-config.ts';
import type { Event, Fact, FactType } from './events.ts';
import { eventVersion } from './events.ts';

export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError';
}

type Kind<Value> = unknown extends Value
  ? 'unknown'
  : Value extends string
    ? 'string'
    : Value extends number
      ? 'number'
      : Value extends boolean
        ? 'boolean'
        : 'object';

/** `object?` may be null; a field with `-if-any` was added later and is absent in older runs. */
type FieldType<Value> = undefined extends Value
  ? `${Kind<Exclude<Value, undefined>>}-if-any`
  : null extends Value
    ? `${Kind<Exclude<Value, null>>}?`
    : Kind<Value>;

/** Does not compile without an entry for each event and each of its fields. */
type EventFields = {
  readonly [Type in FactType]: FieldsOf<Omit<Extract<Fact, { readonly type: Type }>, 'type'>>;
};

type FieldsOf<Fields> = { readonly [Name in keyof Fields]-?: FieldType<Fields[Name]> };

const fields: EventFields = {
  'run-created': { runId: 'string', version: 'number', config: 'object', forkedFrom: 'object-if-any' },
  'driver-started': { epoch: 'number', driver: 'string' },
  'driver-left': { reason: 'string' },
  'task-added': { task: 'object', by: 'string', before: 'string-if-any' },
  'step-started': { step: 'object' },
  'step-ended': { stepId: 'string', result: 'object' },
  'step-lost': { stepId: 'string', reason: 'string', usage: 'object?' },
  'evidence-recorded': { evidence: 'object' },
  'workspace-restored': { stepId: 'string', keptAs: 'string', reason: 'string' },
  'ref-restored': { stepId: 'string', ref: 'string', keptAs: 'string', action: 'string' },
  'tampering-seen': { tampering: 'object' },
  'tampering-accepted': { path: 'string', content: 'string', by: 'string', why: 'string' },
  'tampering-righted': { path: 'string', by: 'string', tree: 'string' },
  'attempt-failed': { taskId: 'string', attempt: 'number', reason: 'string', trace: 'object-if-any' },
  'reviewer-failed': { taskId: 'string', stepId: 'string', reason: 'string' },
  'review-received': { taskId: 'string', stepId: 'string', verdict: 'object' },
  'blocker-tried': { taskId: 'string', stepId: 'string', index: 'number', trial: 'object' },
  'review-doubted': { taskId: 'string', stepId: 'string', reason: 'string' },
  'report-received': { taskId: 'string', stepId: 'string', text: 'string' },
  'task-landed': { taskId: 'string', commit: 'string' },
  'task-proven': { taskId: 'string', tree: 'string' },
  'task-reopened': { taskId: 'string', reason: 'string' },
  'task-failed': { taskId: 'string', outcome: 'string', reason: 'string' },
  'usage-limited': {
    taskId: 'string',
    until: 'number',
    reason: 'string',
    limited: 'object-if-any',
    takenOverBy: 'object-if-any',
  },
  'task-skipped': { taskId: 'string', by: 'string', reason: 'string' },
  'task-retried': { taskId: 'string', by: 'string' },
  'question-asked': { taskId: 'string', questionId: 'string', question: 'string' },
  'question-answered': { taskId: 'string', questionId: 'string', text: 'string' },
  'look-asked': { taskId: 'string', lookId: 'string' },
  'progress-reported': { taskId: 'string', text: 'string', by: 'string' },
  'criterion-attempted': { taskId: 'string', criterionId: 'string' },
  'criterion-passed': { taskId: 'string', criterionId: 'string', tree: 'string' },
  'criterion-failed': { taskId: 'string', criterionId: 'string', reason: 'string' },
  'criterion-reopened': { taskId: 'string', criterionId: 'string', reason: 'string' },
  'iteration-started': { taskId: 'string', iteration: 'number' },
  'person-awaited': { taskId: 'string', why: 'string' },
  'run-parked': { taskId: 'string', why: 'string' },
  'criteria-changed': {
    taskId: 'string',
    change: 'object',
    by: 'string',
    why: 'string',
    approvedBy: 'string',
  },
  'criterion-proposed': {
    taskId: 'string',
    proposalId: 'string',
    change: 'object',
    by: 'string',
    why: 'string',
  },
  'proposal-settled': {
    taskId: 'string',
    proposalId: 'string',
    isAccepted: 'boolean',
    by: 'string',
    why: 'string',
  },
  'action-taken': {
    taskId: 'string',
    stepId: 'string',
    iteration: 'number',
    action: 'string',
    status: 'string',
    message: 'string',
    next: 'string',
    state: 'object',
    tree: 'string?',
    filesUpdated: 'object-if-any',
    menuOptions: 'string-if-any',
    problems: 'object-if-any',
  },
  'action-unreadable': { taskId: 'string', stepId: 'string', problems: 'object' },
  'action-chosen': {
    taskId: 'string',
    turn: 'number',
    action: 'string',
    text: 'string-if-any',
    data: 'unknown-if-any',
    by: 'string',
  },
  'plan-wanted': { cause: 'string', why: 'string' },
  'plan-refused': { stepId: 'string', problems: 'object' },
  'plan-proposed': { proposal: 'object' },
  'plan-approved': { version: 'number', by: 'string' },
  'plan-adopted': { version: 'number', by: 'string' },
  'plan-rejected': { version: 'number', by: 'string', why: 'string' },
  'plan-given-up': { why: 'string' },
  'plan-delayed': { until: 'number', reason: 'string' },
  'milestones-crossed': { percents: 'object' },
  'drift-judged': {
    stepId: 'string',
    percents: 'object',
    isAligned: 'boolean?',
    reason: 'string',
    isFinal: 'boolean',
    isDeadEnd: 'boolean-if-any',
  },
  'acceptance-passed': { commit: 'string', tree: 'string', epoch: 'number' },
  'control-received': { id: 'string', by: 'string', control: 'object' },
  'control-applied': { id: 'string' },
  'control-refused': { id: 'string', reason: 'string' },
  'clock-reached': { due: 'number', isWall: 'boolean-if-any' },
  suspended: {
    suspensionId: 'string',
    taskId: 'string-if-any',
    condition: 'object',
    why: 'string',
    by: 'string',
    since: 'number',
    remindAt: 'number-if-any',
    isNow: 'boolean-if-any',
    isByAgent: 'boolean-if-any',
  },
  'condition-met': {
    suspensionId: 'string',
    what: 'string',
    seenAt: 'number',
    due: 'number-if-any',
    late: 'string-if-any',
  },
  'suspension-expired': { suspensionId: 'string', looks: 'number', last: 'string' },
  'suspension-approved': { suspensionId: 'string', by: 'string' },
  'suspension-ended': { suspensionId: 'string', by: 'string', how: 'string', why: 'string-if-any' },
  reminded: { suspensionId: 'string' },
  'run-landed': {
    how: 'string',
    target: 'string',
    commit: 'string',
    by: 'string',
    isProven: 'boolean',
    acceptedReview: 'boolean-if-any',
  },
  'run-ended': { outcome: 'string', reason: 'string', proof: 'string-if-any', refused: 'string-if-any' },
  'run-reopened': { by: 'string' },
  'run-forked': { from: 'string', event: 'number', by: 'string' },
  'run-approved': { by: 'string', tree: 'string' },
  'run-cleaned': { by: 'string', kept: 'object', removedBytes: 'number' },
};

/** Keyed by n: converts version n to n+1. A released format is never removed from here. */
const upcasts: { readonly [version: number]: (event: Record<string, unknown>) => Record<string, unknown> } =
  {};

/** Contract: throws `UnreadableEventError`; never skips, never guesses. */
export function readEvent(raw: unknown, version: number): Event {
  if (version > eventVersion) {
    throw new UnreadableEventError(
      `this run was written by a newer untildone (event format ${version}; this one reads up to ${eventVersion})`,
    );
  }
  if (!isRecord(raw)) throw new UnreadableEventError('an event is not an object');
  let event = raw;
  for (let from = version; from < eventVersion; from += 1) {
    const upcast = upcasts[from];
    if (upcast === undefined) throw new UnreadableEventError(`event format ${from} is unknown`);
    event = upcast(event);
  }
  check(event);
  if (event['type'] === 'run-created') event = { ...event, config: withMissingSettings(event['config']) };
  return event as Event;
}

function check(event: Record<string, unknown>): void {
  const { type, at } = event;
  if (typeof at !== 'number') throw new UnreadableEventError('an event has no time');
  if (typeof type !== 'string' || !Object.hasOwn(fields, type)) {
    throw new UnreadableEventError(`an event has the unknown type ${JSON.stringify(type)}`);
  }
  const expected: Record<string, string> = fields[type as FactType];
  for (const field in expected) {
    if (!fits(event[field], expected[field] ?? ''))
      throw new UnreadableEventError(`${type} has no valid ${field}`);
  }
}

function fits(value: unknown, type: string): boolean {
  if (value === undefined) return type.endsWith('-if-any');
  if (value === null) return type.endsWith('?') || type.startsWith('unknown');
  return type.startsWith(typeof value) || type.startsWith('unknown');
}
