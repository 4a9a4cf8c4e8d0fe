// Plants at the end of Python test files, and negates one-line assertions. Pure.
import { negateLines, oppositeCall } from '#analysis/test-runners/line-negation.ts';
import type { Lines } from '#analysis/test-runners/line-negation.ts';
import { isClosed, mask, openBrackets } from '#analysis/texts/mask.ts';
import { capital, joinedId, styleOf, withLineEnd } from '#analysis/test-runners/style.ts';
import type { JoinedId } from '#analysis/test-runners/style.ts';
import { noPlace } from '#analysis/test-runners/test-runner.ts';
import type { Negated, Planted, SourceText } from '#analysis/test-runners/test-runner.ts';

/** The planted code: functions with `assert`, and a class with the methods of `TestCase`. */
export interface PythonRules {
  /** The name of a test function, with `*` for the rest; null if functions are not tests. */
  readonly functionName: string | null;
}

export function plantInPython(
  { path, text }: SourceText,
  id: string,
  { functionName }: PythonRules,
): Planted {
  const masked = mask(text, 'python');
  const base = testCaseName(masked);
  const words = base === null ? [] : testCaseWords(masked);
  const hasFunctions = functionName !== null && (base === null || /^\s*assert\b/m.test(masked));
  if (!isClosed(masked) || (words.length === 0 && !hasFunctions)) return noPlace(path);
  const style = { ...styleOf(text), indent: /^(\t| +)\S/m.exec(masked)?.[1] ?? '    ' };
  const returns = /^\s*def test\w*\([^)]*\) -> None:/m.test(masked) ? ' -> None' : '';
  const ids = [...words, ...(hasFunctions ? ['assert'] : [])].map((_, index) => joinedId(id, index));
  const methods = words.map((word, index) => method(word, { id: joinedId(id, index), ...style, returns }));
  const last = ids.at(-1);
  const pieces = [
    ...(base === null || methods.length === 0
      ? []
      : [`class Test${capital(id)}(${base}):\n${methods.join('\n')}`]),
    ...(hasFunctions && last !== undefined
      ? [
          `def ${functionName.replace('*', last.identifier)}()${returns}:\n${style.indent}assert ${joined(last, style.quote)} == ${style.quote}green${style.quote}\n`,
        ]
      : []),
  ];
  const names = ids.map(({ id: value, identifier }) => ({ id: value, test: identifier }));
  return { kind: 'planted', text: insertLast(text, masked, pieces), failures: names };
}

function joined({ parts }: JoinedId, quote: string): string {
  return `${quote}_${quote}.join([${parts.map((part) => `${quote}${part}${quote}`).join(', ')}])`;
}

/** The base class that the file's own test classes name. */
function testCaseName(masked: string): string | null {
  return /^class \w+\(([\w.]*TestCase)\):/m.exec(masked)?.[1] ?? null;
}

const testCaseArguments: Record<string, (id: string, other: string) => string> = {
  assertEqual: (id, other) => `${id}, ${other}`,
  assertNotEqual: (id) => `${id}, ${id}`,
  assertTrue: (id, other) => `${id} == ${other}, ${id}`,
  assertFalse: (id, other) => `${id} != ${other}, ${id}`,
  assertIn: (id, other) => `${id}, ${other}`,
  assertNotIn: (id) => `${id}, ${id}`,
  assertIs: (id) => `${id}, None`,
  assertIsNone: (id) => id,
  assertRegex: (id, other) => `${id}, ${other}`,
};

function testCaseWords(masked: string): readonly string[] {
  const used = new Set([...masked.matchAll(/\bself\.(assert\w+)\(/g)].map(([, word = '']) => word));
  const known = [...used].filter((word) => Object.hasOwn(testCaseArguments, word));
  return known.length > 0 ? known : ['assertEqual'];
}

interface MethodParts {
  readonly id: JoinedId;
  readonly indent: string;
  readonly quote: string;
  readonly returns: string;
}

/** The id has its own line: formatters break long lines. */
function method(word: string, { id, indent, quote, returns }: MethodParts): string {
  const args = testCaseArguments[word]?.('value', `${quote}green${quote}`) ?? '';
  const body = [`value = ${joined(id, quote)}`, `self.${word}(${args})`];
  const lines = body.map((line) => `${indent}${indent}${line}\n`).join('');
  return `${indent}def test_${id.identifier}(self)${returns}:\n${lines}`;
}

/** At the end, but before the lines that run the file as a program. */
function insertLast(text: string, masked: string, pieces: readonly string[]): string {
  const main = /^if __name__\b/m.exec(masked);
  if (main === null) return `${withLineEnd(text).trimEnd()}\n\n\n${pieces.join('\n\n')}`;
  const head = text.slice(0, main.index).trimEnd();
  return `${head}\n\n\n${pieces.join('\n\n')}\n\n${text.slice(main.index)}`;
}

const opposites: readonly (readonly [string, string])[] = [
  ['assertEqual', 'assertNotEqual'],
  ['assertTrue', 'assertFalse'],
  ['assertIn', 'assertNotIn'],
  ['assertIs', 'assertIsNot'],
  ['assertIsNone', 'assertIsNotNone'],
  ['assertIsInstance', 'assertNotIsInstance'],
  ['assertGreater', 'assertLessEqual'],
  ['assertLess', 'assertGreaterEqual'],
  ['assertRegex', 'assertNotRegex'],
  ['assertAlmostEqual', 'assertNotAlmostEqual'],
];

export const pythonTests = {
  language: 'python',
  testIn: testName,
  filtered: /^pytestmark\b/m,
} as const;

export function negateInPython(file: SourceText, tests: readonly string[] | null): Negated {
  return negateLines(file, tests, { ...pythonTests, opposite: negateLine });
}

/** Functions, and methods of classes, that no decorator changes. */
function testName(index: number, { masked }: Lines): string | null {
  const found = /^(\s*)(?:async )?def (test\w*)\(.*\)(?: -> [\w.]+)?:\s*$/.exec(masked[index] ?? '');
  if (found === null || /^\s*@/.test(masked[index - 1] ?? '')) return null;
  const [, indent = '', name = ''] = found;
  return indent === '' || isInPlainClass(masked, index, indent) ? name : null;
}

function isInPlainClass(masked: readonly string[], index: number, indent: string): boolean {
  const outer = masked
    .slice(0, index)
    .findLastIndex((line) => line.trim() !== '' && !line.startsWith(indent));
  const isClass = /^class \w+.*:\s*$/.test(masked[outer] ?? '');
  return isClass && !(masked[outer - 1] ?? '').startsWith('@');
}

export function negateLine(source: string, masked: string): string | null {
  const method = oppositeCall(source, masked, {
    pattern: /^(\s*self\.)(assert\w+)\(.*\)\s*$/,
    pairs: opposites,
  });
  if (method !== null) return method;
  const plain = /^(\s*assert )(?!\()(.+)$/.exec(masked);
  if (plain === null || /;|\byield\b|:=|\blambda\b/.test(masked)) return null;
  const [, lead = '', rest = ''] = plain;
  const comma = [...rest.matchAll(/,/g)].find(({ index }) => openBrackets(rest, index)?.length === 0)?.index;
  const end = lead.length + (comma ?? rest.trimEnd().length);
  return `${lead}not (${source.slice(lead.length, end)})${source.slice(end)}`;
}
