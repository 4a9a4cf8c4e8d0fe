// Reads the text below a task's title: its fields, its criteria, and the remaining text. Pure.
import { allFields, type FieldName, fieldNamed, nearField, showField } from './task-fields.ts';
import type { TextLine } from './task-lines.ts';

/** One item of a list of criteria. */
export interface Item {
  readonly line: number;
  readonly indent: number;
  readonly isTicked: boolean;
  readonly kind: 'entry' | 'exit';
  text: string;
  /** Points below it, which belong to its text. */
  readonly details: string[];
}

export interface FieldText {
  readonly line: number;
  readonly lines: string[];
}

export interface Body {
  readonly fields: ReadonlyMap<FieldName, FieldText>;
  readonly items: readonly Item[];
  /** The description and all other text. */
  readonly rest: readonly string[];
  readonly problems: readonly { readonly line: number; readonly text: string }[];
}

/**
 * `criteria`: knows no other field, as in a goal's text. `free`: fields among prose; a mistyped name is an
 * error. `strict`: anything that looks like a field is one.
 */
export type Reading = 'criteria' | 'free' | 'strict';

interface Draft {
  readonly reading: Reading;
  readonly fields: Map<FieldName, FieldText>;
  readonly items: Item[];
  readonly rest: string[];
  readonly problems: { line: number; text: string }[];
  open: { readonly field: FieldName; readonly level: number } | null;
  last: Item | null;
  hasProse: boolean;
}

export function readBody(lines: readonly TextLine[], reading: Reading): Body {
  const draft: Draft = {
    reading,
    fields: new Map(),
    items: [],
    rest: [],
    problems: [],
    open: null,
    last: null,
    hasProse: false,
  };
  for (const line of lines) {
    if (line.isCode) addText(draft, line);
    else if (line.heading !== null) takeHeading(draft, line, line.heading);
    else takeLine(draft, line);
  }
  return draft;
}

/** Below every markdown heading. */
const labelLevel = 7;

function takeHeading(draft: Draft, line: TextLine, { level, text }: { level: number; text: string }): void {
  draft.last = null;
  const field = headingField(draft, text);
  if (field !== null) return openField(draft, line.line, { field, level, value: '' });
  const near = draft.reading === 'criteria' ? null : nearField(text);
  if (near !== null) return unknown(draft, line, text, near);
  if (draft.open !== null && level <= draft.open.level) draft.open = null;
  draft.hasProse = true;
  if (draft.open?.field === 'context') addText(draft, line);
  else draft.rest.push(line.text);
}

/** A heading may have more words around the name of a list of criteria. */
function headingField(draft: Draft, text: string): FieldName | null {
  if (/\bentry (?:criteria|conditions)\b/i.test(text)) return 'entry';
  if (/\b(?:acceptance|exit) criteria\b/i.test(text)) return 'acceptance';
  return draft.reading === 'criteria' ? null : fieldNamed(text.replace(/:$/, ''));
}

function takeLine(draft: Draft, line: TextLine): void {
  const label = labelOf(draft, line.text);
  const field = label === null ? null : fieldNamed(label.name);
  if (label !== null && field !== null && isTaken(draft, field, label.value))
    return openField(draft, line.line, { field, level: labelLevel, value: label.value });
  if (takeItem(draft, line)) return;
  if (label !== null && field === null && label.isBold && draft.reading !== 'criteria') {
    const near = nearField(label.name);
    const isProse = draft.reading === 'free' || isInProse(draft);
    if (near !== null || !isProse) return unknown(draft, line, label.name, near);
  }
  addText(draft, line);
}

function isTaken({ reading }: Draft, field: FieldName, value: string): boolean {
  return reading !== 'criteria' || ((field === 'acceptance' || field === 'entry') && value === '');
}

function isInProse({ open, hasProse }: Draft): boolean {
  return open === null ? hasProse : open.field === 'description' || open.field === 'context';
}

interface Label {
  readonly name: string;
  readonly value: string;
  readonly isBold: boolean;
}

/** `**Priority**: High`, `- **Agent**: codex`; without stars only before prose, or for lists of criteria. */
function labelOf(draft: Draft, text: string): Label | null {
  const bold =
    /^ {0,3}(?:[-*+]\s+)?(?:\*\*|__)([^*:：]{1,40}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：]|(?:\*\*|__)\s*$)\s*(.*)$/.exec(
      text,
    );
  if (bold !== null) return { name: bold[1] ?? '', value: (bold[2] ?? '').trim(), isBold: true };
  const bare = /^\**((?:acceptance|entry|exit) criteria)\**:?\**\s*$/i.exec(text);
  if (bare !== null) return { name: bare[1] ?? '', value: '', isBold: false };
  const isHead = draft.reading !== 'criteria' && !draft.hasProse && !isInProse(draft);
  const plain = isHead ? /^ {0,3}([A-Za-z][A-Za-z _-]{1,24}):\s*(.*)$/.exec(text) : null;
  return plain === null ? null : { name: plain[1] ?? '', value: (plain[2] ?? '').trim(), isBold: false };
}

interface Opening {
  readonly field: FieldName;
  readonly level: number;
  readonly value: string;
}

function openField(draft: Draft, line: number, { field, level, value }: Opening): void {
  draft.last = null;
  draft.open = { field, level };
  const known = draft.fields.get(field);
  if (known !== undefined && draft.reading !== 'criteria') {
    const several =
      draft.reading === 'free' ? '; several tasks in one file need headings such as "## Task 2: Title"' : '';
    draft.problems.push({
      line,
      text: `${showField(field)} appears twice, first in line ${known.line}${several}`,
    });
    return;
  }
  const taken: FieldText = { line, lines: [] };
  draft.fields.set(field, taken);
  if (value === '') return;
  if (field === 'acceptance' || field === 'entry')
    draft.items.push(newItem({ line, indent: 0, field, words: value }));
  else if (field === 'description') draft.rest.push(value);
  else taken.lines.push(value);
}

function unknown(draft: Draft, { line }: TextLine, name: string, near: string | null): void {
  const instead =
    near === null
      ? `; the fields are ${allFields()}; put other text below Description or Context`
      : `; did you mean "${near}"?`;
  draft.problems.push({ line, text: `there is no field "${name.trim()}"${instead}` });
}

/** A box is a criterion anywhere; a plain point only below the name of such a list. */
function takeItem(draft: Draft, { line, text }: TextLine): boolean {
  const field = draft.open?.field === 'entry' ? 'entry' : 'acceptance';
  const box = /^(\s*)(?:[-*+]|\d+[.)])\s+\[([ xX]?)\](?!\()(.*)$/.exec(text);
  if (box !== null) {
    const [, space = '', tick = '', words = ''] = box;
    draft.last = newItem({ line, indent: widthOf(space), field, words, isTicked: tick.trim() !== '' });
    draft.items.push(draft.last);
    return true;
  }
  const point = /^(\s*)(?:[-*+]|\d+[.)])(?:\s+(.*))?$/.exec(text);
  if (point !== null) return takePoint(draft, line, point, field);
  if (draft.last === null || !/^\s/.test(text)) return false;
  if (text.trim() !== '') addWords(draft.last, text.trim());
  return true;
}

function takePoint(
  draft: Draft,
  line: number,
  point: RegExpExecArray,
  field: 'acceptance' | 'entry',
): boolean {
  const [, space = '', words = ''] = point;
  const indent = widthOf(space);
  if (draft.last !== null && indent > draft.last.indent + 1) {
    if (words.trim() !== '') draft.last.details.push(words.trim());
    return true;
  }
  if (draft.open?.field !== field || indent > 3) return false;
  draft.last = newItem({ line, indent, field, words });
  draft.items.push(draft.last);
  return true;
}

interface Point {
  readonly line: number;
  readonly indent: number;
  readonly field: 'acceptance' | 'entry';
  readonly words: string;
  readonly isTicked?: boolean;
}

function newItem({ line, indent, field, words, isTicked = false }: Point): Item {
  return {
    line,
    indent,
    isTicked,
    kind: field === 'entry' ? 'entry' : 'exit',
    text: words.trim(),
    details: [],
  };
}

/** A line that continues the text above it. */
function addWords(item: Item, words: string): void {
  const detail = item.details.pop();
  if (detail === undefined) item.text = `${item.text} ${words}`.trim();
  else item.details.push(`${detail} ${words}`);
}

function addText(draft: Draft, { text, isCode }: TextLine): void {
  const isBlank = text.trim() === '';
  if (!isBlank) draft.last = null;
  const { open } = draft;
  if (open === null || open.field === 'description') return addProse(draft, text);
  if (open.field === 'acceptance' || open.field === 'entry') {
    if (!isBlank) addProse(draft, text);
    return;
  }
  const known = draft.fields.get(open.field);
  if (known === undefined) return;
  const isPoint = /^\s*(?:[-*+]|\d+[.)])\s/.test(text) && open.field !== 'priority';
  if (open.field === 'context' || isBlank || (!isCode && (known.lines.length === 0 || isPoint))) {
    if (open.field === 'context' || !isBlank) known.lines.push(text);
    return;
  }
  draft.open = null;
  addProse(draft, text);
}

function addProse(draft: Draft, text: string): void {
  draft.rest.push(text);
  if (text.trim() !== '') draft.hasProse = true;
}

function widthOf(space: string): number {
  return space.replaceAll('\t', '    ').length;
}
