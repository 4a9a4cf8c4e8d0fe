// Handles C programs that test with assert: each one is a test, and the first failure ends the program. Pure.
import { isTest } from '#analysis/test-files/test-names.ts';
import { bracketReader, closingBracket, isClosed, mask } from '#analysis/texts/mask.ts';
import { readReportBy } from './report-reader.ts';
import { namesOfOne } from './reports.ts';
import { type JoinedId, joinedId, styleOf } from './style.ts';
import { noAssertion, noPlace } from './test-runner.ts';
import type { Negated, Planted, SourceText, TestRunner } from './test-runner.ts';

const assertHeader = /^#[ \t]*include <c?assert(?:\.h)?>[^\n]*$/m;

/** The tests' own macros: `CHECK(add(1, 2) == 3)`. */
const ownWord = /^[ \t]+(\w*(?:CHECK|ASSERT|EXPECT|REQUIRE|VERIFY)\w*)\(/m;
const failingReturn = /\bif \([^\n]*[!=]=[^\n]*\)[^;]{0,200};?\s*(?:return|exit\s*\()\s*[1-9]/;

/** `failures++;` and, at the end of a function, `return failures != 0;`. */
function isCounting(text: string): boolean {
  const returned = [...text.matchAll(/\breturn\s([^;()]{1,80});\s*\}/g)].flatMap(([, value = '']) =>
    value.split(/\W+/),
  );
  const names = new Set(returned);
  return [...text.matchAll(/\b([a-z]\w*)\s?(?:\+\+|\+= ?1|= ?1);/g)].some(([, name = '']) => names.has(name));
}

const readAssertions = readReportBy({
  failed: [/\bAssertion [`'](.+)' failed\./, /^Assertion failed: \((.+)\), function /],
  assertion: /Assertion/,
});

export const cAssert: TestRunner = {
  name: 'C assert',
  isTestFile: ({ path, text }) =>
    /\.(?:c|cc|cpp)$/.test(path) &&
    /\bmain\s*\(/.test(text) &&
    (assertHeader.test(text) ||
      (isTest(path) && (ownWord.test(text) || failingReturn.test(text) || isCounting(text)))),
  plant: (file, _, id) => plantInC(file, id),
  readReport(output) {
    const { failed, passed } = readAssertions(output);
    return { failed: failed.map(({ name, cause }) => ({ name: positive(name), cause })), passed };
  },
  negate: (file, _, tests) => negateInC(file, tests),
};

/** An assertion and its opposite have one name. */
function positive(expression: string): string {
  const isNegated = expression.startsWith('!(') && closing(expression, 1) === expression.length - 1;
  return isNegated ? expression.slice(2, -1) : expression;
}

function closing(expression: string, start: number): number {
  return closingBracket(mask(expression, 'c'), start);
}

/** The assertion prints the id and is false, so an assert that does nothing prints nothing. */
function plantInC({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'c');
  const main = /^(?:int|auto)\s+main\s*\([^)]*\)[^{;]*\{/m.exec(masked);
  const end = main === null ? -1 : closingBracket(masked, main.index + main[0].length - 1);
  if (main === null || end < 0) return noPlace(path);
  // A call in it may run the tests.
  const last = /\breturn\b(?![^;{}]*\w\s*\()[^;{}]*;\s*$/.exec(masked.slice(main.index, end));
  const at = last === null ? end : main.index + last.index;
  const before = masked.slice(main.index, at);
  // A return or an exit with 1 or more is itself a failure; after any other, the place may not be reached.
  const leaving = /\breturn\b(?!\s*(?:[1-9]|EXIT_FAILURE))|\bexit\s*\((?!\s*(?:[1-9]|EXIT_FAILURE))/;
  if (leaving.test(before)) return noPlace(path);
  const one = joinedId(id, 0);
  const { indent } = styleOf(text);
  const isAssert = assertHeader.test(text);
  const statement = isAssert ? failingAssertion(one) : failingStatement(one, before);
  const lead = at === end ? indent : '';
  const tail = at === end ? '\n' : `\n${indent}`;
  return {
    kind: 'planted',
    text: withPrinting(text.slice(0, at)) + lead + statement + tail + text.slice(at),
    failures: [{ id: one.id, test: isAssert ? `"${one.parts[1]}"` : one.id }],
  };
}

function failingAssertion({ parts: [first, second] }: JoinedId): string {
  return `assert(fprintf(stderr, "%s_%s\\n", "${first}", "${second}") < 0);`;
}

/** By the macro with one argument that main uses; a program without one fails by its exit code. */
function failingStatement({ parts: [first, second] }: JoinedId, main: string): string {
  const print = `fprintf(stderr, "Assertion \`%s_%s' failed.\\n", "${first}", "${second}")`;
  const word = new RegExp(String.raw`${ownWord.source}(?![^;\n]*,[^;\n]*\);)`, 'm').exec(main)?.[1];
  return word === undefined ? `if (${print} > 0) return 1;` : `${word}(${print} < 0);`;
}

/** Not at the top: some definitions must precede all headers. */
function withPrinting(head: string): string {
  if (/^#[ \t]*include <c?stdio(?:\.h)?>/m.test(head)) return head;
  const header = assertHeader.test(head) ? assertHeader : /^#[ \t]*include [^\n]*$/m;
  return header.test(head) ? head.replace(header, '$&\n#include <stdio.h>') : `#include <stdio.h>\n${head}`;
}

/** If the failures of a program are unknown, only one with the name of a test: others may never run. */
function negateInC({ path, text }: SourceText, tests: readonly string[] | null): Negated {
  const masked = mask(text, 'c');
  const all = isClosed(masked) ? assertionsIn(text, masked) : [];
  const single = namesOfOne(all.map(({ name }) => name));
  const chosen = all.filter(
    ({ name }) => single.has(name) && (tests === null ? isTest(path) : tests.includes(name)),
  );
  if (chosen.length === 0) return noAssertion(path);
  let [negated, last] = ['', 0];
  for (const { start, end } of chosen) {
    const expression = text.slice(start, end);
    const opposite = positive(expression) === expression ? `!(${expression})` : positive(expression);
    negated += text.slice(last, start) + opposite;
    last = end;
  }
  return { kind: 'negated', text: negated + text.slice(last), tests: chosen.map(({ name }) => name) };
}

interface Assertion {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Whole lines directly in the body of a called function, before anything that leaves it. */
function assertionsIn(text: string, masked: string): Assertion[] {
  const bracketsAt = bracketReader(masked);
  const ends = new Map<number, number>();
  return [...masked.matchAll(/^[ \t]+assert\(([^\n]+)\);[ \t]*$/gm)].flatMap((match) => {
    const [body, ...inner] = bracketsAt(match.index) ?? [];
    const start = match.index + match[0].indexOf('(') + 1;
    const end = closingBracket(masked, start - 1);
    if (end !== start + (match[1]?.length ?? 0) || body === undefined || inner.length > 0) return [];
    const left = ends.get(body) ?? (isUsed(masked, body) ? leftAt(masked, body) : body);
    ends.set(body, left);
    const before = masked.slice(Math.max(body, match.index - blanksMax), match.index);
    if (match.index > left || !/[;{}]\s*$/.test(before)) return [];
    return [{ name: positive(text.slice(start, end).trim()), start, end }];
  });
}

/** Blank lines and masked comments between two statements; after more, an assertion is skipped. */
const blanksMax = 2000;

function leftAt(masked: string, body: number): number {
  const leaving = /\b(?:return|goto|exit|longjmp|break)\b/g;
  leaving.lastIndex = body;
  return leaving.exec(masked)?.index ?? masked.length;
}

function isUsed(masked: string, body: number): boolean {
  const name = /(\w+)\s*\([^()]*\)\s*$/.exec(masked.slice(0, body))?.[1];
  if (name === undefined) return false;
  return name === 'main' || masked.split(new RegExp(String.raw`\b${name}\b`)).length > 2;
}
