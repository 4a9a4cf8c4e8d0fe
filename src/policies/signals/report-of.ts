// Turns the texts of a block, or the keys of a JSON object, into a report or into sentences about problems.
import { actionNames, actionStatuses, actionWishes } from '#kernel/actions/action.ts';
import type { ActionName, ActionReport, ActionState } from '#kernel/actions/action.ts';
import type { ActionStatus, ActionWish } from '#kernel/actions/action.ts';
import type { Plain } from '#kernel/actions/action-state.ts';
import { plainUpdates } from '#kernel/actions/action-state.ts';
import type { FieldName } from './field-line.ts';
import { fieldNamed } from './field-line.ts';
import { bounded, filesIn, firstLine, proseIn, wordIn } from './field-text.ts';
import type { ReadBlock } from './read-block.ts';
import type { JsonRead } from './tolerant-json.ts';

export type ActionReading =
  | { readonly kind: 'report'; readonly report: ActionReport }
  /** Sentences that can be sent back to the agent. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] }
  /** There is no block at all. */
  | { readonly kind: 'none' };

/** A block as read, before its words are resolved. */
export interface RawReport {
  readonly action: string | null;
  readonly status: string | null;
  readonly message: string;
  readonly state: Plain;
  readonly files: readonly string[];
  readonly menu: string;
  readonly next: string | null;
}

export function rawOfBlock({ texts, json, isObject }: ReadBlock): RawReport {
  const text = (name: FieldName): string | null => texts.get(name) ?? null;
  if (isObject && json?.kind === 'value') {
    const raw = rawOfObject(json.value);
    return { ...raw, next: raw.next ?? text('next') };
  }
  return {
    action: text('action'),
    status: text('status'),
    message: proseIn(text('message') ?? ''),
    state: stateOf(json, text('state')),
    files: filesIn(text('files') ?? ''),
    menu: proseIn(text('menu') ?? ''),
    next: text('next'),
  };
}

const noUpdates: Plain = { kind: 'value', value: {} };

function stateOf(json: JsonRead | null, text: string | null): Plain {
  if (json !== null) return json.kind === 'value' ? plainUpdates(json.value) : json;
  const isNone = /^(?:none|null|n\/a|empty|-|\[\])?\W*$/i.test(firstLine(text ?? ''));
  return isNone ? noUpdates : { kind: 'problem', problem: 'is no JSON object; write {} if nothing changed.' };
}

/** Accepts keys in any spelling. The report may be under a key ACTION_RESULT, with `next` beside it. */
export function rawOfObject(value: unknown): RawReport {
  const fields = fieldsOf(value);
  const text = (name: FieldName): string | null => textOf(fields.get(name));
  const updates = fields.get('state') ?? null;
  return {
    action: text('action'),
    status: text('status'),
    message: proseIn(text('message') ?? ''),
    state: updates === null ? noUpdates : plainUpdates(updates),
    files: fileList(fields.get('files')),
    menu: proseIn(text('menu') ?? ''),
    next: text('next'),
  };
}

function fieldsOf(value: unknown): ReadonlyMap<FieldName, unknown> {
  const fields = new Map<FieldName, unknown>();
  if (typeof value !== 'object' || value === null) return fields;
  for (const [key, one] of Object.entries(value)) {
    const name = fieldNamed(key);
    if (name !== null) fields.set(name, one);
    else if (/^action[\s_-]?result$/i.test(key))
      for (const [inner, found] of fieldsOf(one)) if (!fields.has(inner)) fields.set(inner, found);
  }
  return fields;
}

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join('\n');
  return typeof value === 'string' ? value : null;
}

function fileList(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return typeof value === 'string' ? filesIn(value) : [];
  return bounded(value.filter((one) => typeof one === 'string').map((one) => one.trim()));
}

const statusWords: { readonly [spelling: string]: ActionStatus } = {
  ...Object.fromEntries(actionStatuses.map((word) => [word, word])),
  ok: 'success',
  done: 'success',
  succeeded: 'success',
  successful: 'success',
  passed: 'success',
  completed: 'success',
  error: 'failed',
  fail: 'failed',
  failure: 'failed',
  blocked: 'needs_input',
  need_input: 'needs_input',
  waiting_input: 'needs_input',
};

const actionWords: { readonly [spelling: string]: ActionName | 'MENU' } = {
  ...Object.fromEntries(actionNames.map((word) => [word.toLowerCase(), word])),
  menu: 'MENU',
};

const wishWords: { readonly [spelling: string]: ActionWish } = {
  ...Object.fromEntries(actionWishes.map((word) => [word.toLowerCase(), word])),
  done: 'COMPLETED',
};

/** Characters that the format uses for placeholders: `<…>`, `{…}`, `A | B`. */
const placeholder = /[<>{}|]/;

/** The action is a placeholder, or no field is there: the block says nothing, so an earlier one may count. */
export function isTemplate({ action, status, next }: RawReport): boolean {
  if (action === null) return status === null && next === null;
  const text = firstLine(action);
  return wordIn(text, actionWords) === null && (/^\W*$/.test(text) || placeholder.test(text));
}

export function readingOf(raw: RawReport): ActionReading {
  const action = wordIn(firstLine(raw.action ?? ''), actionWords);
  const status = wordIn(firstLine(raw.status ?? ''), statusWords);
  const wish = firstLine(raw.next ?? '');
  const next = /^\W*(?:n\/a\W*)?$/i.test(wish) && !placeholder.test(wish) ? 'NONE' : wordIn(wish, wishWords);
  if (action !== null && status !== null && next !== null && raw.state.kind === 'value') {
    const { message, files, menu } = raw;
    const stateUpdates = raw.state.value as ActionState;
    return {
      kind: 'report',
      report: { action, status, message, stateUpdates, filesUpdated: files, menuOptions: menu, next },
    };
  }
  const problems = [
    action === null ? problemWith('action', raw.action, actionNames) : null,
    status === null ? problemWith('status', raw.status, actionStatuses) : null,
    raw.state.kind === 'problem' ? `state_updates ${raw.state.problem}` : null,
    next === null ? problemWith('NEXT_ACTION_NEEDED', raw.next, actionWishes) : null,
  ];
  return { kind: 'problems', problems: problems.filter((problem) => problem !== null) };
}

function problemWith(name: string, text: string | null, choices: readonly string[]): string {
  const value = firstLine(text ?? '');
  const use = `use one of ${choices.join(', ')}.`;
  if (value === '') return `${name} is missing; ${use}`;
  const shown = JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (placeholder.test(value)) return `${name} is still the template ${shown}; ${use}`;
  return `Unknown ${name} ${shown}; ${use}`;
}
