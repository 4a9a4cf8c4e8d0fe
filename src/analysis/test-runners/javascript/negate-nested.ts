// Negates one-line assertions in loops and callbacks of JavaScript tests. Pure.
import { continued, editBodies, leaving, negateLine } from './negate.ts';
import type { Body, Edit } from './negate.ts';
import { escaped } from '#analysis/texts/path-words.ts';
import type { JsFile } from './test-file.ts';
import type { AssertDialect } from './words.ts';
import { bracketReader, closingBracket } from '#analysis/texts/mask.ts';
import { noAssertion } from '#analysis/test-runners/test-runner.ts';
import type { NestedNegation } from '#analysis/test-runners/test-runner.ts';

export function negateNestedInJs(
  path: string,
  file: JsFile,
  { dialect, tests }: { readonly dialect: AssertDialect; readonly tests: readonly string[] | null },
): NestedNegation {
  const found = (body: Body) => nestedIn(file, body, dialect);
  const negated = editBodies(file, tests, found);
  if (negated.tests.length === 0) return noAssertion(path);
  const without = editBodies(file, tests, (body) =>
    found(body).map(({ start, end, operands }) => ({ start, end, text: `void [${operands}]` })),
  );
  return { kind: 'negated', ...negated, without: without.text };
}

interface NestedEdit extends Edit {
  readonly operands: string;
}

/** Empty if the body has its own assertion. */
function nestedIn(file: JsFile, body: Body, dialect: AssertDialect): readonly NestedEdit[] {
  const masked = file.masked.slice(body.start, body.end);
  const own = body.parameter === '' ? [] : [body.parameter];
  const common = ['expect', 'assert', 'should', ...file.assertObjects, ...file.assertFunctions.keys()];
  const names = [...common, ...own].map(escaped).join('|');
  const pattern = new RegExp(String.raw`(?<![\w$.])(?:await\s+)?(${names})(?:\.\w+)*\(`, 'g');
  const source = { masked, text: file.text.slice(body.start, body.end) };
  const end = endOfCertain(masked);
  const bracketsAt = bracketReader(masked);
  const edits: NestedEdit[] = [];
  for (const { index, 0: head, 1: name = '' } of masked.matchAll(pattern)) {
    const open = bracketsAt(index) ?? [];
    const isNested = open.length > 0 || isLoopEnd(masked, endBefore(masked, index));
    if (!isNested && common.includes(name)) return [];
    if (!isNested || index >= end || !isCertain(source, index, open)) continue;
    const edit = editOf(file, { ...body, start: body.start + index }, head.length, dialect);
    if (edit !== null) edits.push(edit);
  }
  return edits;
}

/** After a line that may leave the test or the loop, the rest may not run. */
function endOfCertain(masked: string): number {
  const left = masked.search(leaving);
  return left < 0 ? masked.length : Math.max(0, masked.lastIndexOf('\n', left));
}

function editOf(file: JsFile, body: Body, head: number, dialect: AssertDialect): NestedEdit | null {
  const { start, parameter } = body;
  const open = start + head - 1;
  const close = closingBracket(file.masked, open);
  const chain = /^(?:\.\w+)+\(?/.exec(file.masked.slice(close + 1, body.end))?.[0] ?? '';
  const last = close + chain.length;
  const end = (chain.endsWith('(') ? closingBracket(file.masked, last) : last) + 1;
  const line = file.masked.slice(start, end);
  const next = file.masked.slice(end, body.end);
  if (close < 0 || line.includes('\n') || !/^\s*(?:[;)}]|$)|^[ \t]*\n\s*[\w$}]/.test(next)) return null;
  const operands = file.text.slice(open + 1, close);
  if (isConstant(file.masked.slice(open + 1, close))) return null;
  const text = negateLine(file, { at: start, line, parameter, dialect });
  return text === null ? null : { start, end, text, operands };
}

/** `assert.ok(false)` means that the line is never reached. */
function isConstant(operands: string): boolean {
  const words = operands.match(/[A-Za-z$_][\w$]*/g) ?? [];
  return words.every((word) => /^(?:true|false|null|undefined|_+)$/.test(word));
}

type Source = Pick<JsFile, 'masked' | 'text'>;

/** A separate statement, only inside loops and callbacks of a call, and under no condition. */
function isCertain(source: Source, at: number, open: readonly number[]): boolean {
  const { masked } = source;
  const before = endBefore(masked, at);
  const lineBefore = masked.slice(masked.lastIndexOf('\n', before - 1) + 1, before);
  const isStart =
    before === 0 ||
    /[{;}]/.test(masked.charAt(before - 1)) ||
    isLoopEnd(masked, before) ||
    isCallback(source, before) ||
    (masked.slice(before, at).includes('\n') && !continued.test(lineBefore));
  const levels = [...open, at].map((end, index) => masked.slice((open[index - 1] ?? -1) + 1, end));
  return isStart && open.every((bracket) => isRun(source, bracket)) && !levels.some(isConditional);
}

/** Whether the statement at the end of this text, without the contents of its brackets, has a condition. */
function isConditional(level: string): boolean {
  let depth = 0;
  let statement = '';
  for (const char of level) {
    if (/[)\]}]/.test(char)) depth -= 1;
    if (depth === 0) statement = char === ';' || char === '}' ? '' : statement + char;
    if (/[([{]/.test(char)) depth += 1;
  }
  return /\b(?:if|else|case|default|switch|try|catch)\b|&&|\|\||\?(?!\.)/.test(statement);
}

function isRun(source: Source, bracket: number): boolean {
  const { masked } = source;
  const before = endBefore(masked, bracket);
  if (masked.charAt(bracket) === '{') return isLoopEnd(masked, before) || isCallback(source, before);
  const callee = wordBefore(masked, bracket);
  return (
    masked.charAt(bracket) === '(' &&
    callee !== '' &&
    !/^(?:if|for|while|switch|catch|with|return)$/.test(callee)
  );
}

/** The text before ends with the head of a loop: `for (…)`. */
function isLoopEnd(masked: string, end: number): boolean {
  const open = openingBracket(masked, end);
  return open >= 0 && /^(?:for|while|await)$/.test(wordBefore(masked, endBefore(masked, open)));
}

/** The text before ends with the head of a function argument that does not handle errors. */
function isCallback({ masked, text }: Source, end: number): boolean {
  const start = startOfFunction(masked, end);
  if (start < 0 || !/[(,]/.test(masked.charAt(endBefore(masked, start) - 1))) return false;
  const call = enclosing(masked, start);
  if (masked.charAt(call) !== '(') return false;
  const before = text.slice(call + 1, start);
  const callee = wordBefore(masked, call);
  if (callee === 'catch' || (callee === 'then' && before.trim() !== '')) return false;
  return !/error|fail|reject|abort/i.test(before);
}

/** Start of the function whose head ends here: `async (a) =>`, `function (a)`; -1 for anything else. */
function startOfFunction(masked: string, end: number): number {
  const isArrow = masked.slice(end - 2, end) === '=>';
  const after = isArrow ? endBefore(masked, end - 2) : end;
  const open = openingBracket(masked, after);
  const start = open < 0 ? after - wordBefore(masked, after).length : open;
  if (start === after || (open < 0 && !isArrow)) return -1;
  const head = masked.slice(Math.max(0, start - headMax), start);
  const word = (isArrow ? /(?:\basync\s*)?$/ : /(?:\basync\s+)?\bfunction\s*[\w$]*\s*$/).exec(head);
  return word === null ? -1 : start - word[0].length;
}

const headMax = 100;

function wordBefore(masked: string, end: number): string {
  return /[\w$]+$/.exec(masked.slice(Math.max(0, end - headMax), end))?.[0] ?? '';
}

function endBefore(masked: string, at: number): number {
  let end = at;
  while (end > 0 && /\s/.test(masked.charAt(end - 1))) end -= 1;
  return end;
}

/** Position of the bracket that the `)` right before `end` closes; -1 if there is none. */
function openingBracket(masked: string, end: number): number {
  return masked.charAt(end - 1) === ')' ? enclosing(masked, end - 1) : -1;
}

/** Position of the innermost open bracket here; -1 if there is none. */
function enclosing(masked: string, at: number): number {
  let depth = 0;
  for (let before = at - 1; before >= 0; before -= 1) {
    const char = masked.charAt(before);
    if (/[)\]}]/.test(char)) depth += 1;
    else if (/[([{]/.test(char) && depth === 0) return before;
    else if (/[([{]/.test(char)) depth -= 1;
  }
  return -1;
}
