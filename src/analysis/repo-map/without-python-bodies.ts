// Empties function bodies in Python, which are indented deeper than their `def`.
import { endOfLine } from '#base/end-of-line.ts';
import { createComments } from './comments.ts';
import type { Sketch } from './without-bodies.ts';

const definition = /^[ \t\f]*(?:async[ \t]+)?def\b/;
/** Lines that are shown, name other files, or hold more; all others are values. */
const telling =
  /^[ \t\f]*(?:@|(?:async|def|class|import|from|if|elif|else|try|except|finally|with|for|while|match|case|type)\b)/;
const described = /^[ \t\f]*[rRuU]?(?:"""|''')/;

/** Contract: null if strings or brackets do not close. */
export function withoutPythonBodies(text: string): Sketch | null {
  const kept: string[] = [];
  const comments = createComments();
  const state: Logical = { text, at: 0 };
  let body: number | null = null;
  while (state.at < text.length) {
    const start = state.at;
    const end = endOfLogicalLine(state);
    if (end === -1) return null;
    const line = text.slice(start, end);
    const indent = indentOf(line);
    if (indent === null) {
      if (body === null && line.length > 1) comments.hear(text, start, end);
      continue;
    }
    if (body !== null && indent > body) continue;
    body = definition.test(line) && isOpenEnded(line) ? indent : null;
    if (telling.test(line)) kept.push(line);
    else pass(line, kept);
    if (described.test(line)) comments.hear(text, start, end);
    if (body !== null) kept.push(`${spaceBefore(line)} pass\n`);
  }
  return { code: kept.join(''), comments: comments.text() };
}

/** A block must not become empty: a removed part leaves a `pass`, and one is enough. */
function pass(line: string, kept: string[]): void {
  const left = `${spaceBefore(line)}pass\n`;
  if (kept.at(-1) !== left) kept.push(left);
}

function spaceBefore(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

interface Logical {
  readonly text: string;
  at: number;
}

/** Null for a blank line or a comment: it belongs to the code around it. */
function indentOf(line: string): number | null {
  let width = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 32) width += 1;
    else if (code === 9) width = (Math.floor(width / 8) + 1) * 8;
    // A form feed begins at the margin.
    else if (code === 12) width = 0;
    else return code === 10 || code === 13 || code === 35 ? null : width;
  }
  return null;
}

/** A comment after a colon is shorter, or the whole text is parsed for nothing. */
const lineMax = 500;

/** Only a comment follows the colon, so that the body is on the lines below. */
function isOpenEnded(line: string): boolean {
  return /:[ \t]*(?:#[^\n]*)?\r?\n?$/.test(line.slice(-lineMax));
}

/** Moves to the next line: brackets, triple quotes and a backslash continue a line. */
function endOfLogicalLine(state: Logical): number {
  const { text } = state;
  let brackets = 0;
  for (let at = state.at; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34 || code === 39) {
      at = endOfPythonString(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === 35) {
      at = endOfLine(text, at) - 1;
    } else if (code === 40 || code === 91 || code === 123) brackets += 1;
    else if (code === 41 || code === 93 || code === 125) brackets -= 1;
    else if (code === 92) at += text.charCodeAt(at + 1) === 13 ? 2 : 1;
    else if (code === 10 && brackets <= 0) {
      state.at = at + 1;
      return state.at;
    }
    if (brackets < 0) return -1;
  }
  state.at = text.length;
  return brackets === 0 ? state.at : -1;
}

/** Zero if it does not close. A backslash hides the next character in raw strings as well. */
function endOfPythonString(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  const isTriple = text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote;
  for (let at = start + (isTriple ? 3 : 1); at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === quote && !isTriple) return at + 1;
    else if (code === quote && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote) {
      return at + 3;
    } else if (code === 10 && !isTriple) return 0;
  }
  return 0;
}
