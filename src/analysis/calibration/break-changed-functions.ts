// Breaks only the functions that the work changed, so that their callers still run. Crude, by text. Pure.
import { endOfLine } from '#base/end-of-line.ts';
import { mask } from '#analysis/texts/mask.ts';
import { emptySome, languageOf } from './mutate-code.ts';

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Empties the innermost function around each changed line. Returns the same text if there is none. */
export function breakChangedFunctions(path: string, before: string, after: string): string {
  const language = languageOf(path);
  if (language === null) return after;
  const masked = mask(after, language);
  const all: Extent[] = [];
  emptySome(path, after, (start, body) => {
    all.push({ start, end: path.endsWith('.py') ? endOfBlock(masked, start) : endOfBody(masked, body) });
    return false;
  });
  const targets = new Set(changedLines(before, after, masked).map((line) => innermost(all, line)?.start));
  return emptySome(path, after, (start) => targets.has(start));
}

function changedLines(before: string, after: string, masked: string): Extent[] {
  const old = new Set(before.split('\n').map((line) => line.trim()));
  let end = -1;
  return after.split('\n').flatMap((line): Extent[] => {
    const start = end + 1;
    end = start + line.length;
    const isCode = /\w/.test(masked.slice(start, end));
    return isCode && !old.has(line.trim()) ? [{ start: start + line.search(/\S/), end }] : [];
  });
}

/** The last one that overlaps the line. */
function innermost(all: readonly Extent[], line: Extent): Extent | undefined {
  return all.findLast(({ start, end }) => start < line.end && end > line.start);
}

/** For a body in braces; an expression ends with its line. */
function endOfBody(masked: string, body: number): number {
  if (masked[body - 1] !== '{') return endOfLine(masked, body);
  let depth = 1;
  for (let at = body; at < masked.length; at += 1) {
    if (masked[at] === '{') depth += 1;
    if (masked[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return masked.length;
}

/** Up to the next line whose indentation is not deeper than at `start`. */
function endOfBlock(masked: string, start: number): number {
  const indent = /^ */.exec(masked.slice(start))?.[0].length ?? 0;
  let at = endOfLine(masked, start) + 1;
  while (at < masked.length) {
    const line = masked.slice(at, endOfLine(masked, at));
    if (/^\s*[^\s)\]}]/.test(line) && line.search(/\S/) <= indent) return at - 1;
    at += line.length + 1;
  }
  return masked.length;
}
