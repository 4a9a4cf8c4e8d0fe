// Empties function bodies before a file is parsed: a map shows none of them, and this saves most of the time.
// If the text is not surely understood, the result is null, and the whole text counts.
import { bracedRules, type Braced } from './braced-rules.ts';
import { skipToken, type Lexing } from './braced-tokens.ts';
import { type Comments, createComments } from './comments.ts';
import type { Grammar } from './grammar-names.ts';
import { withoutPythonBodies } from './without-python-bodies.ts';

/** The remains of a text. */
export interface Sketch {
  /** Without bodies and comments. */
  readonly code: string;
  /** Beginnings of comments outside of bodies, without licences. */
  readonly comments: string;
}

/** Contract: null if bodies cannot be recognised for sure. Line numbers are not kept. */
export function withoutBodies(text: string, grammar: Grammar): Sketch | null {
  if (grammar === 'python') return withoutPythonBodies(text);
  const rules = bracedRules[grammar];
  return rules === undefined ? null : emptied(text, rules);
}

interface Scan extends Lexing {
  /** Start of the words before the next brace. */
  head: number;
  readonly pieces: string[];
  copied: number;
  /** For each open block that is kept, the start of the words before it. */
  readonly heads: number[];
  readonly comments: Comments;
  /** Consecutive line comments, and the end of the last one. */
  row: number;
  rowEnd: number;
}

const open = 123;
const close = 125;
const semicolon = 59;
const star = 42;
const rowMax = 3;

function emptied(text: string, rules: Braced): Sketch | null {
  const scan: Scan = {
    text,
    rules,
    at: 0,
    last: 0,
    head: 0,
    pieces: [],
    copied: 0,
    heads: [],
    comments: createComments(),
    row: 0,
    rowEnd: 0,
  };
  while (findTelling(scan)) {
    const before = scan.at;
    const skipped = skipToken(scan);
    if (skipped === 'lost') return null;
    if (skipped === 'comment' || skipped === 'directive') {
      if (isBlank(text, scan.head, before)) scan.head = scan.at;
      if (skipped === 'comment') leaveOutComment(scan, before);
    }
    if (skipped !== null) continue;
    if (!readCharacter(scan)) return null;
  }
  if (scan.heads.length > 0) return null;
  scan.pieces.push(text.slice(scan.copied));
  return { code: scan.pieces.join(''), comments: scan.comments.text() };
}

/** Characters that may begin something; most of a text has none of them. */
const telling = new Uint8Array(128);
for (const one of '/"\'`#{};') telling[one.charCodeAt(0)] = 1;

/** False at the end of the text. */
function findTelling(scan: Scan): boolean {
  const { text } = scan;
  let { at, last } = scan;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 && telling[code] === 1) break;
    if (code > 32) last = code;
  }
  scan.at = at;
  scan.last = last;
  return at < text.length;
}

/** Line comments one by one: a few of a row are enough. */
function leaveOutComment(scan: Scan, start: number): void {
  const { text, at, comments } = scan;
  const isBlock = text.charCodeAt(start + 1) === star;
  scan.row = !isBlock && isBlank(text, scan.rowEnd, start) ? scan.row + 1 : 1;
  scan.rowEnd = at;
  if (scan.row <= rowMax) comments.hear(text, start, at);
  leaveOut(scan, start, at);
  // Separates the code on both sides.
  if (isBlock) scan.pieces.push(' ');
}

function leaveOut(scan: Scan, from: number, to: number): void {
  scan.pieces.push(scan.text.slice(scan.copied, from));
  scan.copied = to;
}

function readCharacter(scan: Scan): boolean {
  const code = scan.text.charCodeAt(scan.at);
  scan.at += 1;
  if (code > 32) scan.last = code;
  if (code === semicolon) scan.head = scan.at;
  if (code === open) return readBlock(scan);
  if (code !== close) return true;
  const head = scan.heads.pop();
  if (head === undefined) return false;
  scan.head = goesOn(scan) ? head : scan.at;
  return true;
}

/** A block may be part of the head of another one: `<T extends { id: string }> implements Other {`. */
function goesOn({ text, at }: Scan): boolean {
  let next = at;
  while (text.charCodeAt(next) === 32) next += 1;
  return '>),&|=[:'.includes(text.charAt(next)) && next < text.length;
}

function readBlock(scan: Scan): boolean {
  const { text, rules, at, head } = scan;
  scan.head = at;
  const words = withoutComments(text.slice(Math.max(head, at - 1_000), at - 1));
  if (rules.keeps(words) || isWithinBrackets(words)) {
    scan.heads.push(head);
    return true;
  }
  if (!skipBlock(scan)) return false;
  leaveOut(scan, at, scan.at - 1);
  scan.head = goesOn(scan) ? head : scan.at;
  return true;
}

function withoutComments(words: string): string {
  return words.includes('/') ? words.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, ' ') : words;
}

/** Such as a pattern among the parameters, which is part of the signature. */
function isWithinBrackets(words: string): boolean {
  const last = words.lastIndexOf('(');
  return last !== -1 && words.lastIndexOf(')') < last;
}

/** From after an open brace to after its closing one. */
function skipBlock(scan: Scan): boolean {
  const { text } = scan;
  for (let depth = 1; findTelling(scan);) {
    const skipped = skipToken(scan);
    if (skipped === 'lost') return false;
    if (skipped !== null) continue;
    const code = text.charCodeAt(scan.at);
    scan.at += 1;
    if (code > 32) scan.last = code;
    if (code === open) depth += 1;
    else if (code === close) depth -= 1;
    if (depth === 0) return true;
  }
  return false;
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) > 32) return false;
  return true;
}
