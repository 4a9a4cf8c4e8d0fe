// Validates control requests from an inbox: another process wrote them, perhaps of another version.
import { isRecord } from '#base/record.ts';
import type { Control, ControlRequest } from './control.ts';

type FieldType =
  | 'string'
  | 'string?'
  | 'number'
  | 'number?'
  | 'boolean'
  | 'list'
  | 'object'
  | 'object?'
  | 'string-or-false?'
  | 'true?';

const fields: { readonly [kind in Control['kind']]: { readonly [field: string]: FieldType } } = {
  pause: { why: 'string', now: 'true?' },
  resume: {
    budget: 'object?',
    setup: 'string-or-false?',
    allowRoot: 'true?',
    mode: 'string?',
    force: 'true?',
    approve: 'true?',
    reject: 'string?',
    taskId: 'string?',
  },
  suspend: {
    taskId: 'string?',
    condition: 'object',
    why: 'string',
    since: 'number',
    remindAt: 'number?',
    now: 'true?',
  },
  'ask-suspension': { taskId: 'string', condition: 'object', why: 'string', since: 'number' },
  stop: { now: 'boolean', why: 'string' },
  tell: { text: 'string' },
  skip: { taskId: 'string', why: 'string' },
  retry: { taskId: 'string' },
  choose: { taskId: 'string', turn: 'number', action: 'string', text: 'string?' },
  answer: { questionId: 'string', text: 'string' },
  approve: { taskId: 'string', criterionId: 'string', tree: 'string' },
  'approve-run': { tree: 'string' },
  'accept-review': {},
  reject: { taskId: 'string', criterionId: 'string', tree: 'string', why: 'string' },
  accept: { path: 'string', content: 'string', why: 'string' },
  'add-task': { task: 'object' },
  'change-criteria': { taskId: 'string', change: 'object', why: 'string' },
  'propose-criterion': { taskId: 'string', change: 'object', why: 'string' },
  look: { taskId: 'string' },
  ask: { taskId: 'string', question: 'string' },
  report: { taskId: 'string', text: 'string' },
  'accept-criterion': { proposalId: 'string', why: 'string' },
  'reject-criterion': { proposalId: 'string', why: 'string' },
  'approve-plan': { version: 'number' },
  'reject-plan': { version: 'number', why: 'string' },
  'change-plan': { tasks: 'list', dropped: 'list', why: 'string' },
  replan: { why: 'string' },
};

export interface WrittenRequest extends ControlRequest {
  /** Address of the process that hands it over; null for a request that was only left as a file. */
  readonly from: string | null;
}

/** Contract: null for anything that is no control request; never throws. */
export function parseControlRequest(text: string): WrittenRequest | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return null;
    const { id, by, control, from } = value;
    if (typeof id !== 'string' || id === '' || typeof by !== 'string' || !isControl(control)) return null;
    return { id, by, control, from: typeof from === 'string' ? from : null };
  } catch {
    return null;
  }
}

function isControl(value: unknown): value is Control {
  if (!isRecord(value)) return false;
  const { kind } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(fields, kind)) return false;
  return Object.entries(fields[kind as Control['kind']]).every(([field, type]) => fits(value[field], type));
}

function fits(value: unknown, type: FieldType): boolean {
  if (type === 'string?') return value === undefined || typeof value === 'string';
  if (type === 'number?') return value === undefined || typeof value === 'number';
  if (type === 'object?') return value === undefined || isRecord(value);
  if (type === 'true?') return value === undefined || value === true;
  if (type === 'string-or-false?') return value === undefined || value === false || typeof value === 'string';
  if (type === 'object') return isRecord(value);
  if (type === 'list') return Array.isArray(value);
  return typeof value === type;
}
