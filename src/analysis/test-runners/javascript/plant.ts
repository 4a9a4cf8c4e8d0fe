// Plants failing tests in a JavaScript test file. Pure.
import { failingArguments, failingExpect } from './words.ts';
import { escaped } from '#analysis/texts/path-words.ts';
import type { JsFile } from './test-file.ts';
import { isClosed } from '#analysis/texts/mask.ts';
import { withLineEnd, writeEach } from '#analysis/test-runners/style.ts';
import type { JoinedId } from '#analysis/test-runners/style.ts';
import { noPlace } from '#analysis/test-runners/test-runner.ts';
import type { Planted } from '#analysis/test-runners/test-runner.ts';

export interface JsPlantRules {
  /** The runner's tests assert with their own parameter. */
  readonly isOwnObject?: boolean;
  /** The statement that ends a test. */
  readonly end?: string;
  /** False if a second focused test is an error, or focus has another form. */
  readonly hasOnly?: boolean;
}

const wordsMax = 12;

export function plantInJs(path: string, file: JsFile, id: string, rules: JsPlantRules = {}): Planted {
  const [name] = file.testNames;
  const only = /\.only\b|\bonly:\s*true\b/.test(file.masked) ? '.only' : '';
  if (name === undefined || !isClosed(file.masked) || endsProcess(file.masked)) return noPlace(path);
  if (only !== '' && rules.hasOnly === false) return noPlace(path);
  const form = callbackForm(file, name, rules.isOwnObject === true);
  const write = failingStatements(file, form.parameter === '' ? null : form.parameter);
  const { quote, indent, semicolon } = file.style;
  const { texts, failures } = writeEach(id, write.slice(0, wordsMax), (statementOf, one) => {
    const title = joinExpression(one, quote);
    const statement = statementOf({ id: title, other: `${quote}green${quote}` });
    const end = rules.end === undefined ? '' : `${indent}${form.parameter}.${rules.end}()${semicolon}\n`;
    const body = `${indent}${statement}${semicolon}\n${end}`;
    return [`\n${name}${only}(${title}, ${form.open}\n${body}})${semicolon}\n`, one.id];
  });
  return { kind: 'planted', text: withLineEnd(file.text) + texts.join(''), failures };
}

/** A test planted after it at the top level never runs. */
function endsProcess(masked: string): boolean {
  return /^process\.exit\(/m.test(masked);
}

function joinExpression({ parts }: JoinedId, quote: string): string {
  return `[${parts.map((part) => `${quote}${part}${quote}`).join(', ')}].join(${quote}_${quote})`;
}

type Writer = (operands: { readonly id: string; readonly other: string }) => string;

/** One per assertion word of the file; without a known word a thrown error, the end of every assertion. */
export function failingStatements(file: JsFile, ownObject: string | null): readonly Writer[] {
  const objects = ownObject === null ? file.assertObjects : [ownObject, ...file.assertObjects];
  const calls = [
    ...objects.flatMap((object) => methodCalls(file.masked, object)),
    ...[...file.assertFunctions].flatMap(([local, word]) => bareCalls(file, local, word)),
  ];
  const writers = calls.flatMap(({ call, word }) =>
    failingArguments(word, { id: '', other: '' }) === null
      ? []
      : [(operands: Parameters<Writer>[0]) => `${call}(${failingArguments(word, operands) ?? ''})`],
  );
  const expects = expectWords(file.masked).flatMap((word) =>
    failingExpect(word, { id: '', other: '' }) === null
      ? []
      : [(operands: Parameters<Writer>[0]) => failingExpect(word, operands) ?? ''],
  );
  const all = [...writers, ...expects];
  if (all.length > 0) return all;
  // tape stops at a thrown error, and names no test.
  return [({ id }) => (ownObject === null ? `throw new Error(${id})` : `${ownObject}.fail(${id})`)];
}

function methodCalls(masked: string, object: string): readonly { call: string; word: string }[] {
  const pattern = new RegExp(
    String.raw`(?<![\w$.])(${escaped(object)}\.(?:(?:strict|assert)\.)?(\w+))\(`,
    'g',
  );
  return unique([...masked.matchAll(pattern)].map(([, call = '', word = '']) => ({ call, word })));
}

function bareCalls(file: JsFile, local: string, word: string): readonly { call: string; word: string }[] {
  if (!new RegExp(String.raw`(?<![\w$.])${escaped(local)}\(`).test(file.masked)) return [];
  const isObject = ['default', 'strict', 'assert'].includes(word);
  return [{ call: local, word: isObject ? 'ok' : word }];
}

function unique<T extends { readonly call: string }>(calls: readonly T[]): readonly T[] {
  return [...new Map(calls.map((call) => [call.call, call])).values()];
}

function expectWords(masked: string): readonly string[] {
  const jest = [...masked.matchAll(/\)\s*(?:\.(?:not|resolves|rejects))*\.(to[A-Z]\w+)\(/g)];
  const chai = [...masked.matchAll(/\)\.(to(?:\.(?:be|deep))?\.(?:equal|eql|eq|true|false))\b/g)];
  const isExpecting = /(?<![\w$.])expect\(/.test(masked);
  return isExpecting ? [...new Set([...jest, ...chai].map(([, word = '']) => word))] : [];
}

/** The callback's opening in the file's style. A parameter without assertions would make mocha wait. */
function callbackForm(file: JsFile, name: string, isOwnObject: boolean): { open: string; parameter: string } {
  const found = new RegExp(
    String.raw`(?<![\w$.])${escaped(name)}(?:\.\w+)?\([^\n]*?(?:(function)\s*\w*\s*\((\w*)\)|(\(\w*\)|\w+)\s*=>)`,
  ).exec(file.masked);
  const [, keyword, first = '', arrow = '(t)'] = found ?? [];
  const parameter = isOwnObject ? first + arrow.replace(/[()]/g, '') : '';
  if (keyword !== undefined)
    return { open: `function (${isOwnObject ? first : ''}) {`, parameter: isOwnObject ? first : '' };
  return { open: isOwnObject ? `${arrow} => {` : '() => {', parameter };
}
