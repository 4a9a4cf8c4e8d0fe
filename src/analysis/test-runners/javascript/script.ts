// Plants a failure in a Node script: a test without a runner, which reports by its exit code. Pure.
import { createScriptRunner, isStarted } from '#analysis/test-runners/scripts.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { closingBracket, isClosed } from '#analysis/texts/mask.ts';
import { joinedId, withLineEnd } from '#analysis/test-runners/style.ts';
import { noPlace } from '#analysis/test-runners/test-runner.ts';
import type { Planted, SourceText } from '#analysis/test-runners/test-runner.ts';
import { failingStatements } from './plant.ts';
import { type JsFile, readJsFile } from './test-file.ts';
import { escaped } from '#analysis/texts/path-words.ts';

const failing = /\bprocess\.exit\((?!\s*0?\s*\))|\bprocess\.exitCode\s*=(?!\s*0)|\bthrow\b/;

export const nodeScript = createScriptRunner(
  'Node script',
  ({ path, text }, context) =>
    /\.[cm]?[jt]s$/.test(path) && isNodeTest({ path, text }) && isStarted(path, 'node', context),
  plantInNodeScript,
);

/** If the command starts it: a test by its assertions, or by its name if it can exit with a code above 0. */
function isNodeTest({ path, text }: SourceText): boolean {
  return /\bassert\b/.test(text) || (isTest(path) && failing.test(text));
}

function plantInNodeScript({ path, text }: SourceText, id: string): Planted {
  const file = readJsFile(text, null);
  const isOwnJudge = isTest(path) && failing.test(file.masked) && isAlone(path, text);
  const isJudging = file.assertFunctions.size > 0 || isOwnJudge;
  const place = isJudging && isClosed(file.masked) ? placeIn(path, file) : null;
  if (place === null) return noPlace(path);
  const { ids, lines } = failureFor(file, id);
  const body = lines.map((line) => `${place.indent}${line}\n`).join('');
  const { quote, semicolon } = file.style;
  const piece = place.isLast
    ? `process.once(${quote}beforeExit${quote}, () => {\n${body}})${semicolon}\n`
    : body;
  return {
    kind: 'planted',
    text: `${withLineEnd(text.slice(0, place.at))}\n${piece}${text.slice(place.at)}`,
    failures: ids.map((one) => ({ id: one, test: one })),
  };
}

const harmless =
  /^(?:#.*|node:.*|chai|(?:assert|fs|path|url|util|os|child_process|events|stream|https?|crypto|timers|process|readline|zlib|buffer|vm|module|perf_hooks)(?:\/\w+)?)$/;

/** A library and a test helper may end the process themselves. */
function isAlone(path: string, text: string): boolean {
  const modules = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*['"]([^'"\n]+)['"]/g)];
  return modules.every(([, module = '']) => {
    if (/^\.\.?\//.test(module))
      return !isTest(new URL(module, `file:///${path}`).pathname.slice(1)) || module.endsWith('.json');
    return harmless.test(module);
  });
}

interface Place {
  readonly at: number;
  readonly indent: string;
  /** When nothing is pending any more; an exit of the work comes earlier. */
  readonly isLast: boolean;
}

/** An exit with 1 or more is itself a failure; after any other, the place may not be reached. */
const leaving = /\bexit\((?!\s*[1-9]\d*\s*\))/;

function placeIn(path: string, { masked, style, text }: JsFile): Place | null {
  const inMain = endOfMain(masked);
  if (inMain !== null) return { at: inMain, indent: style.indent, isLast: false };
  const exit = /^process\.exit\([^\n]*\)?;?\s*$(?![\s\S]*^\S)/m.exec(masked)?.index;
  const at = exit ?? masked.length;
  if (leaving.test(masked.slice(0, at)) || returnsEarly(masked)) return null;
  const isLater = /\basync\b|\.then\(|\bset(?:Timeout|Immediate)\(/.test(masked);
  const isAwaiting = /^\S.*\bawait\b|^await\b/m.test(masked);
  if ((isLater || isAwaiting) && !isAlone(path, text)) return null;
  if (!isLater || isAwaiting || exit !== undefined) return { at, indent: '', isLast: false };
  return /\.listen\(|\bsetInterval\(|\.on\(/.test(masked) ? null : { at, indent: style.indent, isLast: true };
}

/** CommonJS modules may return at their top level. */
function returnsEarly(masked: string): boolean {
  const statements = masked.split(/\n(?=[^\s})\]])/);
  return statements.some(
    (one) => /^(?:if|for|while|switch|try|return)\b/.test(one) && /\breturn\b/.test(one),
  );
}

const mainHead =
  /^;?(?:async function (\w+)\(\)|(?:const|let) (\w+) = async \(\) =>|\(async (?:function ?\w*)?\(\)(?: =>)?)\s*\{/gm;

const headsMax = 20;

/** The end of the script's only asynchronous function: work that never answers does not get there. */
function endOfMain(masked: string): number | null {
  const heads = [...masked.matchAll(mainHead)];
  if (heads.length > headsMax) return null;
  const called = heads.filter(([, declared, assigned]) => {
    const name = declared ?? assigned;
    return name === undefined || isCalledOnce(masked, name);
  });
  const [main] = called;
  if (main === undefined || called.length > 1) return null;
  const start = main.index + main[0].length;
  const body = masked.slice(start, closingBracket(masked, start - 1));
  const end = /\n(?:[ \t]+process\.exit\([^\n]*\);?\s*)?$/.exec(body)?.index;
  if (end === undefined) return null;
  const before = body.slice(0, end);
  return leaving.test(before) || /\breturn\b/.test(before) ? null : start + end + 1;
}

function isCalledOnce(masked: string, name: string): boolean {
  const call = new RegExp(String.raw`^(?:await |void )?${escaped(name)}\(\)`, 'm');
  return call.test(masked) && masked.split(new RegExp(String.raw`\b${escaped(name)}\b`)).length === 3;
}

/** By the file's own words. Each assertion follows the failed one: if one passes, the script is green. */
function failureFor(file: JsFile, id: string): { ids: readonly string[]; lines: readonly string[] } {
  const { quote, indent, semicolon } = file.style;
  const writers = file.assertFunctions.size > 0 ? failingStatements(file, null) : [null];
  const exit = /\bprocess\.exit\(/.test(file.masked) ? 'process.exit(1)' : null;
  const all = writers.map((_, index) => joinedId(id, index));
  const lines = writers.reduceRight<readonly string[]>((inner, write, index) => {
    const parts = all[index]?.parts.map((part) => `${quote}${part}${quote}`).join(', ') ?? '';
    const value = `[${parts}].join(${quote}_${quote})`;
    const mark = `console.error(${quote}not ok -${quote}, ${value})${semicolon}`;
    if (write === null) return [mark, `${exit ?? `throw new Error(${value})`}${semicolon}`];
    const isInnermost = inner.length === 0;
    const rest = isInnermost ? [`throw error${semicolon}`] : inner;
    const statement = `${indent}${write({ id: value, other: `${quote}green${quote}` })}${semicolon}`;
    const head = isInnermost ? '} catch (error) {' : '} catch {';
    return ['try {', statement, head, ...[mark, ...rest].map((line) => indent + line), '}'];
  }, []);
  return { ids: all.map((one) => one.id), lines };
}
