// The state that an agent keeps between turns: plain JSON with limits. Two lists in it have a shape.
import type { ActionState } from './action.ts';
import { hypothesisProblems, readHypotheses, readTasks, taskProblems } from './action-lists.ts';
import type { ActionTask, Hypothesis } from './action-lists.ts';

/** More than the tasks and hypotheses of a loop need; each turn records and shows the whole state. */
export const stateBytesMax = 64 * 1024;
/** Levels of objects and lists, the state itself included. */
export const stateDepthMax = 8;

/** Fields of the run's own state.json: an agent's key of the same name would contradict them there. */
export const ownKeys: readonly string[] = [
  'loop_id',
  'status',
  'mode',
  'current_iteration',
  'max_iterations',
  'updated_at',
  'skill_state',
];

/** Names through which a copied object could reach the prototype of all objects. */
const droppedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Problems are sentences that can be sent back to the agent. */
export interface MergedState {
  readonly state: ActionState;
  readonly problems: readonly string[];
}

/**
 * Contract: never throws. A key with a problem keeps its old value. If the merged state is too large, the
 * whole old state stays. A key that is null in `updates` is removed.
 */
export function mergeState(state: ActionState, updates: ActionState): MergedState {
  const merged = new Map(Object.entries(state));
  const problems: string[] = [];
  const size = { charactersLeft: stateBytesMax };
  for (const [key, value] of Object.entries(updates)) {
    if (size.charactersLeft < 0) break;
    if (droppedKeys.has(key)) continue;
    const plain = ownKeys.includes(key) ? ownKey : plainJson(value, 2, size);
    const found = plain.kind === 'problem' ? [nameKey(key, plain.problem)] : shapeProblems(key, plain.value);
    problems.push(...found);
    if (found.length > 0 || plain.kind === 'problem') continue;
    if (plain.value === null) merged.delete(key);
    else merged.set(key, plain.value);
  }
  const result = Object.fromEntries(merged);
  const isTooLarge = size.charactersLeft < 0 || jsonBytes(result) > stateBytesMax;
  if (isTooLarge) return { state, problems: [tooLarge] };
  return { state: result, problems: problems.slice(0, problemsMax) };
}

/** An agent cannot use more sentences at once. */
const problemsMax = 10;

const tooLarge = `The state would be larger than ${stateBytesMax / 1024} KB of JSON, so none of state_updates was kept. Remove what is no longer needed (null removes a key) and send less.`;

const ownKey: Plain = {
  kind: 'problem',
  problem: 'is a name that the loop uses itself; choose another key.',
};

/** The tasks that the agent keeps; none if the state has no valid list. */
export function tasksOf(state: ActionState): readonly ActionTask[] {
  return readTasks(ownValue(state, 'tasks'));
}

export function hypothesesOf(state: ActionState): readonly Hypothesis[] {
  return readHypotheses(ownValue(state, 'hypotheses'));
}

export type Plain =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Continues a sentence that begins with the name of the value. */
  | { readonly kind: 'problem'; readonly problem: string };

/** A copy of an agent's updates, within the limits; names that reach a prototype are omitted. */
export function plainUpdates(value: unknown): Plain {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'problem', problem: 'is no JSON object; write {} if nothing changed.' };
  const plain = plainJson(value, 1, { charactersLeft: stateBytesMax });
  if (plain.kind === 'value' && jsonBytes(plain.value) > stateBytesMax) return tooLong;
  return plain;
}

const tooLong: Plain = {
  kind: 'problem',
  problem: `is larger than ${stateBytesMax / 1024} KB of JSON; send less.`,
};

interface Size {
  charactersLeft: number;
}

/** Stops at the limits, so that a value of any size costs no more than they allow. */
function plainJson(value: unknown, depth: number, size: Size): Plain {
  size.charactersLeft -= typeof value === 'string' ? value.length + 2 : 1;
  if (size.charactersLeft < 0) return tooLong;
  if (typeof value !== 'object' || value === null) return plainScalar(value);
  if (depth > stateDepthMax) return tooDeep;
  const isList = Array.isArray(value);
  const copy: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    if (!isList && droppedKeys.has(key)) continue;
    if (!isList) size.charactersLeft -= key.length + 3;
    const plain = plainJson((value as { readonly [key: string]: unknown })[key], depth + 1, size);
    if (plain.kind === 'problem') return plain;
    copy.push([key, plain.value]);
  }
  return { kind: 'value', value: isList ? copy.map(([, item]) => item) : Object.fromEntries(copy) };
}

export const tooDeep: Plain & { readonly kind: 'problem' } = {
  kind: 'problem',
  problem: `is nested more than ${stateDepthMax} levels deep; make it flatter.`,
};

function plainScalar(value: unknown): Plain {
  const isPlain =
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? { kind: 'value', value } : { kind: 'problem', problem: 'holds a value that is no JSON.' };
}

function shapeProblems(key: string, value: unknown): readonly string[] {
  if (value === null) return [];
  if (key === 'tasks') return taskProblems(value);
  return key === 'hypotheses' ? hypothesisProblems(value) : [];
}

function nameKey(key: string, problem: string): string {
  return `state_updates.${key.slice(0, 60)} ${problem}`;
}

function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function ownValue(state: ActionState, key: string): unknown {
  return Object.hasOwn(state, key) ? state[key] : undefined;
}
