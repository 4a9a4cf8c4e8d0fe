// Negates one-line assertions directly in a test's body, in languages with indented bodies. Pure.
import { isClosed, mask, openBrackets } from '#analysis/texts/mask.ts';
import type { Language } from '#analysis/texts/mask.ts';
import { isSameTest, namesOfOne } from './reports.ts';
import { noAssertion } from './test-runner.ts';
import type { Negated, SourceText } from './test-runner.ts';

export interface NegationRules {
  readonly language: Language;
  /** The name of the test that begins in this line; null for other lines. */
  testIn(line: number, lines: Lines): string | null;
  /** The statement's opposite; null if none is known. */
  opposite(source: string, masked: string): string | null;
  /** The editable lines of the test that begins in this line: by default those directly in its body. */
  readonly linesIn?: (header: number, lines: Lines) => readonly number[];
  /** A file that matches is not changed: its tests may not run. */
  readonly filtered?: RegExp;
  /** A test that matches is not changed. */
  readonly except?: RegExp;
}

export interface Lines {
  readonly source: readonly string[];
  readonly masked: readonly string[];
}

/** After one of these, the rest of the body may not run. */
export const leaving =
  /\b(?:return|raise|throw|yield|exit|skip|skipTest|importorskip|xfail|fail|pending|panic|break|next)\b|\?;/;
const continued = /(?:[,=+\-*/&|?:([.\\]|\b(?:if|while|for|unless)\b[^{]*\)|\belse|\bdo)$/;

export function negateLines(
  { path, text }: SourceText,
  tests: readonly string[] | null,
  rules: NegationRules,
): Negated {
  const masked = mask(text, rules.language);
  if (rules.filtered?.test(masked) === true) return noAssertion(path);
  const lines = { source: text.split('\n'), masked: masked.split('\n') };
  const found = lines.masked.flatMap((_, line) => {
    const test = rules.testIn(line, lines);
    return test === null ? [] : [{ test, line }];
  });
  const changed = new Map<number, string>();
  const single = namesOfOne(found.map(({ test }) => test));
  const negated = found.filter(({ test, line }) => {
    if (!single.has(test) || (tests !== null && !tests.some((name) => isSameTest(name, test)))) return false;
    if (rules.except?.test(bodyBelow(line, lines)) === true) return false;
    const edits = (rules.linesIn ?? directLines)(line, lines).flatMap((at): [number, string][] => {
      const edit = rules.opposite(lines.source[at] ?? '', lines.masked[at] ?? '');
      return edit === null ? [] : [[at, edit]];
    });
    for (const [at, edit] of edits) changed.set(at, edit);
    return edits.length > 0;
  });
  if (negated.length === 0) return noAssertion(path);
  return {
    kind: 'negated',
    text: lines.source.map((line, at) => changed.get(at) ?? line).join('\n'),
    tests: negated.map(({ test }) => test),
  };
}

/** The body's own statements: as deep as its first line, with all brackets closed before and in the line. */
function directLines(header: number, { masked }: Lines): readonly number[] {
  const outer = indentOf(masked[header] ?? '');
  const found: number[] = [];
  let indent: number | null = null;
  let open = '';
  let before = '';
  for (let at = header + 1; at < masked.length; at += 1) {
    const line = (masked[at] ?? '').trimEnd();
    const isBrace = at === header + 1 && line.trim() === '{';
    if (line.trim() === '' || /^\s*_+$/.test(line) || isBrace) continue;
    if (open === '' && indentOf(line) <= outer) break;
    if (leaving.test(line)) break;
    indent ??= indentOf(line);
    const isDirect = open === '' && indentOf(line) === indent && isClosed(line) && !continued.test(before);
    const next = nextLine(masked, at);
    const isWhole = !/[\\,]$/.test(line) && !/^\s*[.&|?)\]]/.test(next);
    if (isDirect && isWhole) found.push(at);
    open = isClosed(open + line) ? '' : `${open}${line}\n`;
    before = line;
  }
  return found;
}

function bodyBelow(header: number, { masked }: Lines): string {
  const outer = indentOf(masked[header] ?? '');
  let end = header + 1;
  while (end < masked.length && ((masked[end] ?? '').trim() === '' || indentOf(masked[end] ?? '') > outer))
    end += 1;
  return masked.slice(header + 1, end).join('\n');
}

function nextLine(masked: readonly string[], at: number): string {
  let next = at + 1;
  while (next < masked.length && (masked[next] ?? '').trim() === '') next += 1;
  return masked[next] ?? '';
}

export function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

/** Replaces the word of a call by its opposite; `pairs` are read in both directions. */
export function oppositeCall(
  source: string,
  masked: string,
  { pattern, pairs }: { readonly pattern: RegExp; readonly pairs: readonly (readonly [string, string])[] },
): string | null {
  const found = pattern.exec(masked);
  if (found === null) return null;
  const [, lead = '', word = ''] = found;
  const pair = pairs.find((words) => words.includes(word));
  if (pair === undefined) return null;
  return lead + (pair[0] === word ? pair[1] : pair[0]) + source.slice(lead.length + word.length);
}

/** Wraps the first argument of the call whose bracket is before `start`. */
export function wrapFirst(
  source: string,
  masked: string,
  { start, wrap }: { start: number; wrap: (text: string) => string },
): string | null {
  const rest = masked.slice(start);
  const end = [...rest.matchAll(/[,)]/g)].find(({ index }) => openBrackets(rest, index)?.length === 0)?.index;
  if (end === undefined || rest.slice(0, end).trim() === '') return null;
  return source.slice(0, start) + wrap(source.slice(start, start + end)) + source.slice(start + end);
}
