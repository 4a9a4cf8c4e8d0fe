// Reads one ACTION_RESULT block: its fields as text, the JSON of state_updates. The next field ends a value.
import { endOfLine } from '#base/end-of-line.ts';
import { createFenceReader, isFenceLine } from './marker-reader.ts';
import type { FieldLine, FieldName } from './field-line.ts';
import { fieldOf, headerOf } from './field-line.ts';
import { insideOf } from './find-blocks.ts';
import type { Block } from './find-blocks.ts';
import { toolCallLine } from './plain-text.ts';
import { readJsonObject } from './tolerant-json.ts';
import type { JsonRead } from './tolerant-json.ts';

export interface ReadBlock {
  readonly texts: ReadonlyMap<FieldName, string>;
  /** The value of state_updates, or the whole block if it is one JSON object. */
  readonly json: JsonRead | null;
  readonly isObject: boolean;
  /** The block is quoted, and other text follows it. */
  readonly isFollowed: boolean;
}

/** A code block in a value is text. If it never closes, the block is read again as if it had not opened. */
export function readBlock(block: Block): ReadBlock {
  const read = readFields(block, true);
  return read.isInCode ? readFields(block, false) : read;
}

function readFields(block: Block, isCodeText: boolean): ReadBlock & { readonly isInCode: boolean } {
  const body = block.lines.join('\n');
  const values = createValues();
  const fences = createFenceReader(block.fence);
  const start = readHeader(body, values);
  const quotations = createQuotations(start.hasField ? fences.depth() : null);
  let json = start.json;
  let at = start.next;
  let isFollowed = false;
  while (at < body.length) {
    const end = endOfLine(body, at);
    const line = body.slice(at, end);
    fences.onLine(line);
    at = end + 1;
    if (block.fence !== null && fences.depth() === 0) break;
    quotations.onLine(line, fences.depth());
    const isText = quotations.isOpen() || (isCodeText && quotations.isInCode());
    const field = isText ? null : fieldOf(line);
    if (field === null || !values.begin(field)) {
      if (values.isComplete() && isMoreText(line)) isFollowed = true;
      values.add(line);
    } else if (field.name === 'state' && json === null) {
      const found = readJsonAt(body, end - field.restLength);
      json = found?.json ?? null;
      at = found?.next ?? at;
    }
  }
  const after = [...body.slice(at).split('\n'), ...block.after];
  isFollowed = block.isQuoted && (isFollowed || hasMoreText(after, values));
  const isObject = start.json !== null;
  return { texts: values.texts(), json, isObject, isFollowed, isInCode: quotations.isInCode() };
}

/** Detects field-like lines that are text: in a code block of a value, or in another block quoted there. */
function createQuotations(depthOfFields: number | null) {
  /** A code block that begins before the first field holds all fields. */
  let base = depthOfFields;
  let isInCode = false;
  let goesOn: ((line: string) => boolean) | null = null;
  return {
    onLine: (line: string, depth: number): void => {
      if (base === null && fieldOf(line) !== null) base = depth;
      if (base !== null) base = Math.min(base, depth);
      isInCode = base !== null && depth > base;
      const header = headerOf(line);
      if (header !== null) goesOn = isInCode ? null : insideOf(header.lead);
      else if (line.trim() !== '' && goesOn?.(line) === false) goesOn = null;
    },
    isInCode: (): boolean => isInCode,
    isOpen: (): boolean => goesOn !== null,
  };
}

/** The first field may share the header's line, and the whole block may be one JSON object. */
function readHeader(
  body: string,
  values: Values,
): { json: JsonRead | null; next: number; hasField: boolean } {
  const end = endOfLine(body, 0);
  const rest = headerOf(body.slice(0, end))?.rest ?? '';
  const field = fieldOf(rest);
  if (field !== null) values.begin(field);
  const found = field === null ? readJsonAt(body, end - rest.length) : null;
  return { json: found?.json ?? null, next: found?.next ?? end + 1, hasField: field !== null };
}

interface Values {
  /** False for a repeated field, whose line is then text. Of several `next` fields the last counts. */
  begin(field: FieldLine): boolean;
  add(line: string): void;
  /** The `next` field has a value; it ends a block. */
  isComplete(): boolean;
  texts(): ReadonlyMap<FieldName, string>;
}

function createValues(): Values {
  const known = new Map<FieldName, string[]>();
  let current: string[] | null = null;
  let isComplete = false;
  return {
    begin: ({ name, value }) => {
      if (known.has(name) && name !== 'next') return false;
      isComplete = name === 'next' && value !== '';
      current = [value];
      known.set(name, current);
      return true;
    },
    add: (line) => {
      current?.push(line);
      if (current === known.get('next') && line.trim() !== '') isComplete = true;
    },
    isComplete: () => isComplete,
    texts: () => new Map([...known].map(([name, lines]) => [name, lines.join('\n')])),
  };
}

/** Blanks and a fence may precede the object. */
const beforeJson = /[\s*_]*(`+|~~~+)?(?:jsonc?)?\s*/iy;
const fenceAfterJson = /\s*(?:`+|~~~+)/y;

/** Null if no object starts here. If an object does not end, reading continues after its first line. */
function readJsonAt(body: string, from: number): { json: JsonRead; next: number } | null {
  const before = matchAt(beforeJson, body, from);
  const start = from + (before?.[0].length ?? 0);
  if (body[start] !== '{') return null;
  const json = readJsonObject(body, start);
  if (json.end === null) return { json, next: endOfLine(body, from) + 1 };
  const isFenced = before?.[1] !== undefined;
  const closing = isFenced ? (matchAt(fenceAfterJson, body, json.end)?.[0].length ?? 0) : 0;
  return { json, next: endOfLine(body, json.end + closing) + 1 };
}

function matchAt(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = from;
  return sticky.exec(text);
}

/** The `next` field may follow the code block that holds the rest. */
function hasMoreText(lines: readonly string[], values: Values): boolean {
  for (const line of lines) {
    if (!isMoreText(line)) continue;
    const field = fieldOf(line);
    if (field?.name !== 'next') return true;
    values.begin(field);
  }
  return false;
}

function isMoreText(line: string): boolean {
  return line.trim() !== '' && line !== toolCallLine && !isFenceLine(line);
}
