// Skips tokens that may hide a brace: comments, strings, characters, regular expressions, preprocessor lines.
import { endOfLine } from '#base/end-of-line.ts';
import type { Braced } from './braced-rules.ts';

export interface Lexing {
  readonly text: string;
  readonly rules: Braced;
  at: number;
  /** The last character of code, to distinguish a division from a regular expression. */
  last: number;
}

type Skipped = 'comment' | 'directive' | 'token' | 'lost' | null;

const slash = 47;
const star = 42;
const quote = 34;
const apostrophe = 39;
const backtick = 96;
const backslash = 92;
const newline = 10;
const hash = 35;

/** Skips one token that hides braces; null if none begins here. */
export function skipToken(scan: Lexing): Skipped {
  const { text, rules, at } = scan;
  const code = text.charCodeAt(at);
  switch (code) {
    case slash: {
      const next = text.charCodeAt(at + 1);
      if (next === slash) return to(scan, endOfLine(text, at), 'comment');
      if (next === star) return to(scan, endOfComment(text, at, rules.commentsNest), 'comment');
      return rules.hasRegex && beginsRegex(scan) ? to(scan, endOfRegex(text, at), 'token') : null;
    }
    case quote:
      return to(scan, endOfQuoted(scan), 'token');
    case apostrophe:
      return skipApostrophe(scan);
    case backtick:
      if (rules.backtick === null) return null;
      return to(scan, rules.backtick === 'raw' ? after(text, '`', at + 1) : endOfTemplate(scan, 0), 'token');
    case hash:
      return rules.hasDirectives && isFirstOnLine(text, at)
        ? to(scan, endOfDirective(text, at), 'directive')
        : null;
    default:
      return null;
  }
}

function to(scan: Lexing, end: number, what: 'comment' | 'directive' | 'token'): Skipped {
  if (end === -1) return 'lost';
  scan.at = end;
  if (what === 'token') scan.last = quote;
  return what;
}

function after(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found === -1 ? -1 : found + what.length;
}

function endOfComment(text: string, at: number, nests: boolean): number {
  if (!nests) return after(text, '*/', at + 2);
  let depth = 1;
  for (let from = at + 2; depth > 0;) {
    const closing = text.indexOf('*/', from);
    if (closing === -1) return -1;
    const opening = text.indexOf('/*', from);
    const isOpening = opening !== -1 && opening < closing;
    depth += isOpening ? 1 : -1;
    from = (isOpening ? opening : closing) + 2;
    if (depth === 0) return from;
  }
  return -1;
}

function endOfQuoted({ text, rules, at }: Lexing): number {
  if (rules.strings === 'java' || rules.strings === 'csharp') {
    if (text.startsWith('"""', at)) return after(text, '"""', at + 3);
  }
  if (rules.strings === 'csharp' && /[@$]$/.test(text.slice(Math.max(0, at - 2), at))) {
    return text.slice(Math.max(0, at - 2), at).includes('@')
      ? endOfVerbatim(text, at)
      : endOfString(text, at, quote, false);
  }
  if (rules.strings === 'cpp' && text.charCodeAt(at - 1) === 82) return endOfRawCpp(text, at);
  if (rules.strings === 'rust') {
    const [, hashes = null] = /\b[bc]?r(#*)$/.exec(text.slice(Math.max(0, at - 20), at)) ?? [];
    if (hashes !== null) return after(text, `"${hashes}`, at + 1);
  }
  return endOfString(text, at, quote, rules.strings === 'rust');
}

/** -1 if the line ends first: then something was misread before. */
function endOfString(text: string, start: number, closing: number, spansLines: boolean): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === closing) return at + 1;
    else if (code === newline && !spansLines) return -1;
  }
  return -1;
}

function endOfVerbatim(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== quote) continue;
    if (text.charCodeAt(at + 1) !== quote) return at + 1;
    at += 1;
  }
  return -1;
}

function endOfRawCpp(text: string, at: number): number {
  // The standard allows a delimiter of at most 16 characters.
  const opening = text.slice(at + 1, at + 18);
  const length = opening.indexOf('(');
  if (length === -1) return endOfString(text, at, quote, false);
  return after(text, `)${opening.slice(0, length)}"`, at + 1 + length);
}

function skipApostrophe(scan: Lexing): Skipped {
  const { text, rules, at } = scan;
  if (rules.apostrophe === 'string') return to(scan, endOfString(text, at, apostrophe, false), 'token');
  // A character, else a lifetime of Rust or a separator between digits.
  const isCharacter = /^'(?:\\.[^'\n]{0,10}|[^\\'\n]{1,2})'/su.test(text.slice(at, at + 14));
  if (isCharacter) return to(scan, endOfString(text, at, apostrophe, false), 'token');
  scan.at += 1;
  return 'token';
}

function endOfTemplate(scan: Lexing, depth: number): number {
  const { text, rules } = scan;
  if (depth > 20) return -1;
  for (let at = scan.at + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === backtick) return at + 1;
    else if (code === 36 && text.charCodeAt(at + 1) === 123) {
      const end = endOfHole({ text, rules, at: at + 2, last: 123 }, depth);
      if (end === -1) return -1;
      at = end - 1;
    }
  }
  return -1;
}

/** After the brace that closes `${`. */
function endOfHole(scan: Lexing, depth: number): number {
  for (let braces = 1; scan.at < scan.text.length;) {
    const code = scan.text.charCodeAt(scan.at);
    if (code === backtick) {
      const end = endOfTemplate(scan, depth + 1);
      if (end === -1) return -1;
      scan.at = end;
      scan.last = quote;
      continue;
    }
    const skipped = skipToken(scan);
    if (skipped === 'lost') return -1;
    if (skipped !== null) continue;
    scan.at += 1;
    if (code > 32) scan.last = code;
    if (code === 123) braces += 1;
    if (code === 125) braces -= 1;
    if (braces === 0) return scan.at;
  }
  return -1;
}

/** After a value a slash divides; after anything else it begins a regular expression. */
function beginsRegex({ text, at, last }: Lexing): boolean {
  if (last === 41 || last === 93 || last === quote) return false;
  const isWord = (last >= 48 && last <= 57) || (last >= 65 && last <= 90) || (last >= 97 && last <= 122);
  if (!isWord && last !== 95 && last !== 36) return true;
  return /\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)\s*$/.test(
    text.slice(Math.max(0, at - 20), at),
  );
}

function endOfRegex(text: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === newline) return -1;
    if (code === backslash) at += 1;
    else if (code === 91) isInClass = true;
    else if (code === 93) isInClass = false;
    else if (code === slash && !isInClass) return at + 1;
  }
  return -1;
}

function isFirstOnLine(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before -= 1) {
    const code = text.charCodeAt(before);
    if (code === newline) return true;
    if (code > 32) return false;
  }
  return true;
}

function endOfDirective(text: string, start: number): number {
  let at = endOfLine(text, start);
  while (at < text.length && /\\\r?$/.test(text.slice(Math.max(0, at - 2), at))) at = endOfLine(text, at + 1);
  const comment = openComment(text.slice(start, at));
  if (comment === -1) return at;
  const end = endOfComment(text, start + comment, false);
  return end === -1 ? -1 : endOfDirective(text, end);
}

/** The start of a comment that continues after the end; -1 if there is none. */
function openComment(line: string): number {
  if (!line.includes('/*')) return -1;
  const hiding = line.matchAll(/"(?:\\.|[^"\\])*"|\/\/.*$|\/\*.*?\*\/|\/\*/gs);
  return [...hiding].find(([found]) => found === '/*')?.index ?? -1;
}
