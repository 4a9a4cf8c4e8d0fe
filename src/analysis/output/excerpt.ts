// Extracts what failed from a check's output: the failing tests with their assertions. Pure.
import { linesOf } from '#analysis/test-runners/reports.ts';
import { isStackLine, withoutLongStacks } from './stack-lines.ts';
import type { TestReport } from '#analysis/test-runners/test-runner.ts';
import { testRunners } from '#analysis/test-runners/test-runners.ts';

/** With the notes between its parts it stays below 4,000 characters, which every reader accepts. */
const excerptMax = 3500;
/** Shorter output is shown in full. */
const shortMax = 1300;
const headMax = 1500;
const tailMax = 2000;
const testsMax = 8;
const blockLinesMax = 14;
const blockMax = 1200;
const lineMax = 300;
/** A stack may be between a test's name and its assertion. */
const windowMax = 1000;

/**
 * The part of `output` to show; `log` is the name of the full file, null if none is kept.
 * Contract: null if the output is short enough to show in full; linear in the output.
 */
export function excerptOf(
  output: string,
  log: string | null,
  failed: readonly string[] = failedTests(output),
): string | null {
  if (output.length <= shortMax) return null;
  const lines = linesOf(output);
  if (failed.length > 0) return ofTests(lines, failed, log);
  const text = withoutLongStacks(lines).join('\n');
  return output.length <= excerptMax ? null : headAndTail(text, log);
}

function headAndTail(text: string, log: string | null): string {
  if (text.length <= excerptMax) return `${text.trimEnd()}${log === null ? '' : `\n[${wholeOutput(log)}]`}`;
  const left = text.length - headMax - tailMax;
  const where = log === null ? '' : `; ${wholeOutput(log)}`;
  return `${text.slice(0, headMax)}\n[… ${left} characters left out${where} …]\n${text.slice(-tailMax)}`;
}

function wholeOutput(log: string): string {
  return `the whole output: ${log}`;
}

export function failedTests(output: string): readonly string[] {
  return reportIn(output).failed.map(({ name }) => name);
}

/** From the runner whose totals are there; patterns of others may match a line by chance. */
export function reportIn(output: string): TestReport {
  let best: TestReport = { failed: [], passed: null };
  for (const runner of testRunners) {
    const report = runner.readReport(output);
    if (report.failed.length > 0 && weightOf(report) > weightOf(best)) best = report;
  }
  return best;
}

function weightOf({ failed, passed }: TestReport): number {
  return (passed === null ? 0 : 1_000_000) + failed.length;
}

function ofTests(lines: readonly string[], failed: readonly string[], log: string | null): string {
  const count = failed.length === 1 ? '1 failing test' : `${failed.length} failing tests`;
  const parts = [log === null ? count : `${count} (${wholeOutput(log)})`];
  const seen = new Set<number>();
  const left: string[] = [];
  let room = excerptMax - namesMax;
  for (const name of failed) {
    const block = parts.length <= testsMax ? blockOf(lines, name, failed) : null;
    if (block !== null && seen.has(block.at)) continue;
    const text = block === null ? '' : block.lines.join('\n');
    if (block === null || text.length > room) {
      left.push(name);
      continue;
    }
    seen.add(block.at);
    parts.push(text);
    room -= text.length + 2;
  }
  if (left.length > 0) parts.push(alsoFailed(left));
  return parts.join('\n\n');
}

const namesMax = 500;

function alsoFailed(names: readonly string[]): string {
  const text = `also failed: ${names.map((name) => name.slice(0, 100)).join(', ')}`;
  if (text.length <= namesMax - 30) return text;
  const shown = text.slice(0, namesMax - 30).replace(/,[^,]*$/, '');
  return `${shown} and more, ${names.length} together`;
}

interface Block {
  /** The line that names the test. */
  readonly at: number;
  readonly lines: readonly string[];
}

/** Of all places that name a test, the one with the most details; null if there is none. */
function blockOf(lines: readonly string[], name: string, failed: readonly string[]): Block | null {
  const others = failed.filter((other) => other !== name && !name.endsWith(shortName(other)));
  const alike = failed.filter((other) => other !== name && shortName(other) === shortName(name));
  let best: Block | null = null;
  let bestScore = -1;
  for (const place of placesOf(lines, name)) {
    const suites = suitesAbove(lines, place, name);
    if (!isWholeName(lines, place, name) && alike.some((other) => isWholeName(lines, place, other))) continue;
    const at = suites > 0 ? place - suites : headlineOf(lines, place);
    const end = endOf(lines, at, others.slice(0, othersMax));
    const heading = lines.slice(at, at + suites + 1).map((line, index) => (index === 0 ? line : line.trim()));
    const block = [heading.join(' > '), ...lines.slice(at + suites + 1, end)];
    const score = 10 * Math.min(5, block.filter(isTellingLine).length) + Math.min(9, block.length);
    if (score <= bestScore) continue;
    [best, bestScore] = [{ at, lines: shortened(block) }, score];
  }
  return best;
}

const othersMax = 50;
const placesMax = 40;

/** A name of one letter is everywhere; reports are at the beginning or at the end. */
function placesOf(lines: readonly string[], name: string): readonly number[] {
  const short = shortName(name);
  const all = [...lines.keys()].filter((at) => {
    const line = lines[at] ?? '';
    return line.includes(short) && isNaming(line, name);
  });
  return all.length <= placesMax ? all : [...all.slice(0, placesMax / 2), ...all.slice(-placesMax / 2)];
}

/** If a stack names the test, its error is above. */
function headlineOf(lines: readonly string[], place: number): number {
  const line = lines[place] ?? '';
  if (!isStackLine(line) && !/^[\s#]*- \//.test(line)) return place;
  for (let at = place - 1; at >= Math.max(0, place - headlineMax); at -= 1) {
    const above = lines[at] ?? '';
    if (above.trim() === '') break;
    if (/^[\s#]*(?:Uncaught )?(?:[A-Z]\w*)?Error(?: \[\w+\])?: /.test(above)) return at;
  }
  return place;
}

const headlineMax = 40;

const separator = / > | › |::|#/;

/** Runners print a test with its file, class or suite in one place, and without in another. */
function shortName(name: string): string {
  return (name.split(separator).at(-1) ?? name).trim() || name;
}

/** How many lines above a test's title name its suites, one each, as mocha does; 0 if they do not. */
function suitesAbove(lines: readonly string[], place: number, name: string): number {
  const suites = name.split(separator).slice(0, -1);
  const isAbove = suites.every((suite, index) => {
    const line = (lines[place - suites.length + index] ?? '').trim();
    return line === suite || line.replace(/^\d+\) /, '') === suite;
  });
  return isAbove ? suites.length : 0;
}

function isWholeName(lines: readonly string[], place: number, name: string): boolean {
  return (lines[place] ?? '').includes(name) || suitesAbove(lines, place, name) > 0;
}

function isNaming(line: string, name: string): boolean {
  if (line.includes(name)) return true;
  const short = shortName(name);
  const at = line.indexOf(short);
  const around = [line[at - 1] ?? ' ', line[at + short.length] ?? ' '];
  return around.every((one) => !/[\w]/.test(one)) && !isStackLine(line) && !/\bdef |\bfunc |\bfn /.test(line);
}

const next =
  /^\s*(?:ok \d|✔ |✓ |PASS |Test Suites:|Tests?:\s|test result:|⎯{3,}|={5,}|_{3,} |FAIL\s|\[(?:INFO|ERROR|WARNING)\] |\d+ (?:passing|failing)|\d+\) \S|Finished in |short test summary|Node\.js v\d|node:internal\/\S+:\d+$|\/\S+\.[cm]?[jt]sx?:\d+$)/;

function endOf(lines: readonly string[], at: number, others: readonly string[]): number {
  const last = Math.min(lines.length, at + windowMax);
  for (let index = at + 1; index < last; index += 1) {
    const line = lines[index] ?? '';
    if (next.test(line) || others.some((other) => line.includes(other))) return index;
  }
  return last;
}

/** Lines with the expected and the actual value. */
const telling =
  /^\s*(?:E|>) {2,}|\bassert|\bexpected\b|\breceived\b|\bactual\b|\bgot\b|\bwant(?:ed)?\b|panic|\b\w*(?:Error|Exception)\b|\bFailure\b|\b(?:left|right): |^\s*[-+] ?['"\w{[(]|' failed$/i;

function isTellingLine(line: string): boolean {
  return telling.test(line) && !isStackLine(line);
}

/** The line that names the test, then the most useful lines below it, in the order of the output. */
function shortened(block: readonly string[]): string[] {
  const all = withoutLongStacks(block)
    .filter((line, index, whole) => line !== '' || whole[index - 1] !== '')
    .map((line) => line.slice(0, lineMax));
  while (all.at(-1) === '') all.pop();
  let room = blockMax - (all[0] ?? '').length;
  const chosen = new Set([0]);
  for (const isFirst of [true, false])
    for (const [index, line] of all.entries()) {
      const isWanted = !chosen.has(index) && (!isFirst || isTellingLine(line));
      if (!isWanted || chosen.size >= blockLinesMax || line.length + 1 > room) continue;
      chosen.add(index);
      room -= line.length + 1;
    }
  return all.filter((_, index) => chosen.has(index));
}
