// Negates one-line assertions that are directly in the body of a JavaScript test, or are its body. Pure.
import { escaped } from '#analysis/texts/path-words.ts';
import type { JsFile } from './test-file.ts';
import { oppositeWord } from './words.ts';
import type { AssertDialect } from './words.ts';
import { bracketReader, closingBracket, openBrackets } from '#analysis/texts/mask.ts';
import { isSameTest, namesOfOne } from '#analysis/test-runners/reports.ts';
import { noAssertion } from '#analysis/test-runners/test-runner.ts';
import type { Negated } from '#analysis/test-runners/test-runner.ts';

export interface Body {
  readonly test: string;
  readonly parameter: string;
  readonly start: number;
  readonly end: number;
}

/** A file with skipped or focused suites is not changed: its tests may not run. */
const filtered =
  /\b(?:describe|suite|context)\.(?:skip|only|todo|each|if)|\bx(?:describe|it)\b|\b(?:skip|todo):|\.only\b/;

export function negateInJs(
  path: string,
  file: JsFile,
  { dialect, tests }: { readonly dialect: AssertDialect; readonly tests: readonly string[] | null },
): Negated {
  const negated = editTests(
    file,
    tests,
    ({ parameter }) =>
      (line) =>
        negateLine(file, { ...line, parameter, dialect }),
  );
  return negated.tests.length === 0 ? noAssertion(path) : { kind: 'negated', ...negated };
}

type EditLine = (line: Pick<Line, 'at' | 'line'>) => string | null;

interface Edited {
  readonly text: string;
  readonly tests: readonly string[];
}

export function editTests(
  file: JsFile,
  tests: readonly string[] | null,
  editorOf: (body: Body) => EditLine | null,
): Edited {
  return editBodies(file, tests, (body) => editsOf(file, body, editorOf(body)));
}

/** A test without an edit is not in `tests`. */
export function editBodies(
  file: JsFile,
  tests: readonly string[] | null,
  editsIn: (body: Body) => readonly Edit[],
): Edited {
  const bodies = filtered.test(file.masked) ? [] : testBodies(file);
  const single = namesOfOne(bodies.map(({ test }) => test));
  const edited = bodies
    .filter(
      ({ test }) => single.has(test) && (tests === null || tests.some((name) => isSameTest(name, test))),
    )
    .map((body) => ({ test: body.test, edits: editsIn(body) }))
    .filter(({ edits }) => edits.length > 0);
  const edits = edited.flatMap((one) => one.edits);
  return { text: applyEdits(file.text, edits), tests: edited.map(({ test }) => test) };
}

/** Tests with a plain title and a callback, at the top level or only inside suites. */
function testBodies(file: JsFile): readonly Body[] {
  const names = file.testNames.map(escaped).join('|');
  if (names === '') return [];
  const pattern = new RegExp(
    String.raw`^[ \t]*(?:${names})\((_+),\s*(?:async\s*)?(?:function\s*\w*\s*\((\w*)\)|\(?(\w*)\)?\s*=>)\s*(\{)?`,
    'gm',
  );
  const bracketsAt = bracketReader(file.masked);
  return [...file.masked.matchAll(pattern)].flatMap((match) => {
    const open = bracketsAt(match.index);
    const start = match.index + match[0].length;
    // Without braces, the body is an expression that ends with the call of the test.
    const opening = match[4] === undefined ? file.masked.indexOf('(', match.index) : start - 1;
    const end = closingBracket(file.masked, opening);
    const literal = file.text.slice(match.index, start).match(/\((['"`])([^\\]*?)\1,/);
    const test = literal?.[2] ?? '';
    if (end < 0 || test === '' || test.includes('${') || !isInSuites(file.masked, open)) return [];
    return [{ test, parameter: match[2] ?? match[3] ?? '', start, end }];
  });
}

function isInSuites(masked: string, open: readonly number[] | null): boolean {
  return (
    open !== null &&
    open.every((bracket) => {
      const line = masked.slice(masked.lastIndexOf('\n', bracket) + 1, bracket + 1);
      return /^\s*(?:describe|suite|context)\(/.test(line);
    })
  );
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const leaving = /\breturn\b|\bthrow\b|\bexit\(|\.skip\(|\.todo\(|\bskip\(|\bbreak\b/;
export const continued = /(?:[,=+\-*/&|?:([.]|=>|\b(?:if|while|for)\s*\(.*\)|\belse|\bdo)$/;

/** Lines or statements at the depth of the body, after a complete statement, that are never skipped. */
function editsOf(file: JsFile, body: Body, editLine: EditLine | null): readonly Edit[] {
  if (editLine === null) return [];
  const edits: Edit[] = [];
  let depth = 0;
  let before = '';
  let at = body.start;
  for (const line of file.masked.slice(body.start, body.end).split(/(?<=[\n;])/)) {
    if (leaving.test(line)) break;
    const after = depth + depthOf(line);
    const next = file.masked.slice(at + line.length, body.end).trimStart();
    if (depth === 0 && after === 0 && !continued.test(before) && !/^[.?([]/.test(next)) {
      const edit = editLine({ at, line });
      if (edit !== null) edits.push({ start: at, end: at + line.length, text: edit });
    }
    if (line.trim() !== '') before = line.trim();
    depth = after;
    at += line.length;
  }
  return edits;
}

function depthOf(line: string): number {
  return (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
}

interface Line {
  readonly at: number;
  readonly line: string;
  readonly parameter: string;
  readonly dialect: AssertDialect;
}

export function negateLine(file: JsFile, { at, line, parameter, dialect }: Line): string | null {
  const source = file.text.slice(at, at + line.length);
  const head = /^(\s*(?:await\s+)?)([\w$]+(?:\.(?:strict|assert))?)(?:\.(\w+))?\(/.exec(line);
  if (head === null || !isOneCall(line, head[0].length - 1)) return null;
  const [whole, lead = '', object = '', word] = head;
  if (object === 'expect' && word === undefined) return negateExpect(source, line, whole.length - 1);
  const [base = ''] = object.split('.');
  const isOwn = base === parameter && (dialect !== 'assert' || object.endsWith('.assert'));
  if (!isOwn && !file.assertObjects.includes(base)) return null;
  const words = isOwn && !object.endsWith('.assert') ? dialect : 'assert';
  if (words === 'assert' && (word === undefined || word === 'ok'))
    return negateTruth(source, line, whole.length);
  const opposite = word === undefined ? null : oppositeWord(word, words);
  return opposite === null ? null : `${lead}${object}.${opposite}${source.slice(whole.length - 1)}`;
}

/** The call is the whole statement; for `expect` a chain of properties and one more call may follow. */
function isOneCall(line: string, open: number): boolean {
  const close = closingBracket(line, open);
  return close > 0 && /^(?:(?:\.\w+)+(?:\(.*\))?)?;?\s*$/.test(line.slice(close + 1));
}

function negateTruth(source: string, line: string, start: number): string | null {
  const end = closingBracket(line, start - 1);
  const argument = line.slice(start, end);
  if (end < 0 || argument.trim() === '' || hasComma(argument)) return null;
  return `${source.slice(0, start)}!(${source.slice(start, end)})${source.slice(end)}`;
}

function hasComma(argument: string): boolean {
  return [...argument.matchAll(/,/g)].some(({ index }) => openBrackets(argument, index)?.length === 0);
}

function negateExpect(source: string, line: string, open: number): string | null {
  const close = closingBracket(line, open);
  const chain = line.slice(close + 1);
  const jest = /^(?:\.(?:resolves|rejects))?(\.not)?\.to[A-Z]\w*\(/.exec(chain);
  const chai = /^\.to(\.not)?\.(?:be|deep|equal|eql|eq|include|have|throw)\b/.exec(chain);
  const found = jest ?? chai;
  if (found === null) return null;
  const tail = source.slice(close + 1);
  if (found[1] !== undefined) return source.slice(0, close + 1) + tail.replace('.not', '');
  const negation = jest === null ? tail.replace('.to.', '.to.not.') : tail.replace(/\.(?=to[A-Z])/, '.not.');
  return source.slice(0, close + 1) + negation;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let last = 0;
  for (const { start, end, text: piece } of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(last, start), piece);
    last = end;
  }
  return [...pieces, text.slice(last)].join('');
}
