// Reads JSON as models write it, with comments and trailing commas: a scan that knows strings, then
// `JSON.parse`.

import { tooDeep } from '#kernel/actions/action-state.ts';

export type JsonRead =
  | { readonly kind: 'value'; readonly value: unknown; readonly end: number }
  /** `problem` continues a sentence that starts with the value's name; `end` is null if it has no end. */
  | { readonly kind: 'problem'; readonly problem: string; readonly end: number | null };

/** Deeper values are refused before parsing; the limit of an agent's state is lower still. */
const depthMax = 16;

/** Contract: never throws; reads each character a bounded number of times. `text[from]` is a `{`. */
export function readJsonObject(text: string, from: number): JsonRead {
  const scan = scanObject(text, from);
  if (scan.end === null) return { kind: 'problem', problem: scan.problem, end: null };
  if (scan.depth > depthMax) return { kind: 'problem', problem: tooDeep.problem, end: scan.end };
  try {
    return { kind: 'value', value: JSON.parse(scan.json), end: scan.end };
  } catch (error) {
    const why = (error instanceof Error ? error.message : '').replaceAll(/\s+/g, ' ').slice(0, 160);
    return { kind: 'problem', problem: `is not valid JSON: ${why}.`, end: scan.end };
  }
}

type Scan =
  | { readonly end: number; readonly json: string; readonly depth: number }
  | { readonly end: null; readonly problem: string };

/** All characters outside strings that matter for comments, commas and the end. */
const decisive = /["{}[\]/,]/g;

function scanObject(text: string, from: number): Scan {
  const kept = createKeptText(text, from);
  let depth = 0;
  let deepest = 0;
  const signs = new RegExp(decisive);
  signs.lastIndex = from;
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const [sign] = found;
    const at = found.index;
    if (sign === '"' || sign === '/') {
      const end = sign === '"' ? endOfString(text, at) : endOfComment(text, at);
      if (end === null)
        return { end, problem: `has a ${sign === '"' ? 'string' : 'comment'} that is not closed.` };
      if (sign === '/' && end > at + 1) kept.leaveOut(at, end);
      signs.lastIndex = end;
    } else if (sign === ',') kept.onComma(at);
    else if (sign === '{' || sign === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else {
      depth -= 1;
      kept.onClosing(at);
      if (depth === 0) return { end: at + 1, json: kept.end(at + 1), depth: deepest };
    }
  }
  return { end: null, problem: 'has no closing brace.' };
}

/** The text without comments and without commas before a closing bracket. */
function createKeptText(text: string, from: number) {
  const parts: string[] = [];
  let takenTo = from;
  let commaAt: number | null = null;
  const take = (to: number): void => {
    parts.push(text.slice(takenTo, to));
    takenTo = to;
  };
  return {
    leaveOut: (start: number, end: number): void => {
      take(start);
      takenTo = end;
    },
    onComma: (at: number): void => {
      take(at);
      commaAt = parts.length;
      take(at + 1);
    },
    onClosing: (at: number): void => {
      take(at);
      const isTrailing = commaAt !== null && parts.slice(commaAt + 1).every((part) => part.trim() === '');
      if (commaAt !== null && isTrailing) parts[commaAt] = '';
      // Each comma is examined once, which keeps the time linear.
      commaAt = null;
    },
    end: (to: number): string => {
      take(to);
      return parts.join('');
    },
  };
}

/** JSON strings do not cross the end of a line. */
function endOfString(text: string, from: number): number | null {
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') return at + 1;
    if (sign === '\n') return null;
    if (sign === '\\') at += 1;
  }
  return null;
}

/** A slash that begins no comment is kept for `JSON.parse` to reject. */
function endOfComment(text: string, from: number): number | null {
  const kind = text[from + 1];
  if (kind !== '/' && kind !== '*') return from + 1;
  const end = text.indexOf(kind === '/' ? '\n' : '*/', from + 2);
  if (kind === '/') return end === -1 ? text.length : end;
  return end === -1 ? null : end + 2;
}
