// Changes the expected value in a helper call: `expectSum(add(3, 4), 7)` expects 1016 afterwards. Pure.
import { closingBracket, openBrackets } from '#analysis/texts/mask.ts';

/** Functions that a test file imports from its own project, with the changed file of each. */
export type Imported = ReadonlyMap<string, string | null>;

export interface ExpectationOrder {
  readonly changed: readonly string[] | undefined;
  /** Null means all tests of the file. */
  readonly tests: readonly string[] | null;
}

export interface Expectation {
  readonly text: string;
  /** The file of the helper. */
  readonly judge: string;
}

/**
 * Only for a whole statement with two arguments: a call of another file's function, and a number or a string.
 * With three, the last may be a tolerance or a message.
 */
export function otherExpectation(source: string, masked: string, imported: Imported): Expectation | null {
  const head = /^\s*(?:await\s+)?([A-Za-z_$][\w$]*)\(/.exec(masked);
  const judge = imported.get(head?.[1] ?? '') ?? null;
  if (head === null || judge === null) return null;
  const open = head[0].length;
  const close = closingBracket(masked, open - 1);
  if (close < 0 || !/^;?\s*$/.test(masked.slice(close + 1))) return null;
  const args = masked.slice(open, close);
  const [comma, ...more] = [...args.matchAll(/,/g)].filter(
    ({ index }) => openBrackets(args, index)?.length === 0,
  );
  if (comma === undefined || more.length > 0) return null;
  const called = functionCalled(args.slice(0, comma.index).trim());
  const origin = called === null ? undefined : imported.get(called);
  if (origin === undefined || origin === judge) return null;
  const start = open + comma.index + 1;
  const literal = otherLiteral(source.slice(start, close));
  return literal === null ? null : { text: source.slice(0, start) + literal + source.slice(close), judge };
}

/** The function, if the argument is only its call. */
function functionCalled(argument: string): string | null {
  const found = /^(?:await\s+)?([A-Za-z_$][\w$]*)\(/.exec(argument);
  if (found === null) return null;
  return closingBracket(argument, found[0].length - 1) === argument.length - 1 ? (found[1] ?? null) : null;
}

const further = 1009;

function otherLiteral(argument: string): string | null {
  const number = /^(\s*)(-?\d{1,12}(?:\.\d{1,6})?)(\s*)$/.exec(argument);
  if (number !== null) return `${number[1] ?? ''}${Number(number[2]) + further}${number[3] ?? ''}`;
  const text = /^(\s*)(['"])([^'"\\\n]*)\2(\s*)$/.exec(argument);
  if (text === null) return null;
  const [, lead = '', quote = '', inside = '', tail = ''] = text;
  return `${lead}${quote}${inside} other${quote}${tail}`;
}

/** A path relative to a file's folder, as a path from the root. */
export function pathFrom(file: string, relative: string): string {
  const parts: string[] = [];
  for (const part of [...file.split('/').slice(0, -1), ...relative.split('/')])
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  return parts.join('/');
}
