// Plants, negates and reads tests of vitest, jest, mocha, ava, tap and tape. Pure.
import { importsOf, readJsFile } from './test-file.ts';
import { changeInJs } from './expectations.ts';
import { negateInJs } from './negate.ts';
import { negateNestedInJs } from './negate-nested.ts';
import { plantInJs } from './plant.ts';
import type { JsPlantRules } from './plant.ts';
import type { AssertDialect } from './words.ts';
import { readLines, readReportBy } from '#analysis/test-runners/report-reader.ts';
import { linesOf } from '#analysis/test-runners/reports.ts';
import type {
  RunnerContext,
  SourceText,
  TestReport,
  TestRunner,
} from '#analysis/test-runners/test-runner.ts';

interface JsRunner {
  readonly name: string;
  readonly module: RegExp;
  /** Names a runner with global words in commands, settings and reports. */
  readonly sign?: RegExp;
  readonly dialect?: AssertDialect;
  readonly plantRules?: JsPlantRules;
  readonly readReport: (output: string) => TestReport;
}

const assertion = /AssertionError|ERR_ASSERTION|expect\(/;
const load =
  /Cannot find (?:module|package)|MODULE_NOT_FOUND|SyntaxError|Failed to (?:load|resolve)|does not provide an export/;
const ownObject = { isOwnObject: true };

const runners: readonly JsRunner[] = [
  {
    name: 'vitest',
    module: /^vitest$/,
    sign: /\bvitest\b|^ RUN {2}v\d/m,
    readReport: readReportBy({
      failed: [/^\s*FAIL\s+(?:\|[^|]+\|\s+)?(\S+ > .+)$/],
      unloaded: /^\s*FAIL\s+(?:\|[^|]+\|\s+)?(\S+) \[ \S+ \]$/,
      summary: /^\s*Tests\s+\d+ (?:passed|failed|skipped|todo)\b.*\(\d+\)$/,
      passed: /(\d+) passed/,
      next: /^\s*(?:FAIL\s|⎯)/,
      assertion,
      load,
    }),
  },
  {
    name: 'jest',
    module: /^@jest\/globals$/,
    sign: /\bjest\b|\breact-scripts test\b|^Test Suites: /m,
    readReport: readReportBy({
      failed: [/^ {2}● (?!Test suite failed to run|Console$)(.+)$/],
      unloaded: /^ {2}● (Test suite failed to run)$/,
      summary: /^Tests:\s+.*\b\d+ total$/,
      passed: /(\d+) passed/,
      next: /^(?: {2}● |FAIL |PASS |Test Suites:)/,
      assertion,
      load,
    }),
  },
  {
    name: 'mocha',
    module: /^mocha$/,
    sign: /\bmocha\b|^ {2}\d+ passing\b/m,
    readReport: readMocha,
  },
  {
    name: 'ava',
    module: /^ava$/,
    dialect: 'ava',
    plantRules: ownObject,
    readReport: readReportBy({
      failed: [/^\s*✘ \[fail\]: (.+?)(?: Error thrown in test)?$/, /^not ok \d+ - (.+)$/],
      unloaded: /^\s*✘ (\S+\.\w+) exited with a non-zero exit code/,
      summary: /^(?:\s+\d+ tests? passed|# pass \d+)$/,
      passed: /(\d+)/,
      next: /^\s*(?:✔|ok \d|─)/,
      assertion: /^(?!.*(?:Error thrown in test|Rejected promise))[\s\S]*/,
    }),
  },
  {
    name: 'tap',
    module: /^(?:tap|@tapjs\/core|libtap)$/,
    dialect: 'tap',
    plantRules: { ...ownObject, end: 'end', hasOnly: false },
    readReport: readTap,
  },
  {
    name: 'tape',
    module: /^tape$/,
    dialect: 'tape',
    plantRules: { ...ownObject, end: 'end', hasOnly: false },
    readReport: readTape,
  },
];

export const jsRunners: readonly TestRunner[] = runners.map(createRunner);

function createRunner(runner: JsRunner): TestRunner {
  const read = ({ text }: SourceText) => {
    const isImported = importsOf(text).some(({ module }) => runner.module.test(module));
    return readJsFile(text, isImported ? runner.module : null);
  };
  return {
    name: runner.name,
    isTestFile: (file, context) => isOwn(runner, file, context),
    plant: (file, _, id) => plantInJs(file.path, read(file), id, runner.plantRules),
    readReport: runner.readReport,
    negate: (file, _, tests) =>
      negateInJs(file.path, read(file), { dialect: runner.dialect ?? 'assert', tests }),
    negateNested: (file, _, tests) =>
      negateNestedInJs(file.path, read(file), { dialect: runner.dialect ?? 'assert', tests }),
    changeExpectations: (file, { changed }, tests) => changeInJs(file.path, read(file), { changed, tests }),
  };
}

/** By import; if no test function is imported, by the runner in the command, its scripts or its report. */
function isOwn(runner: JsRunner, { path, text }: SourceText, context: RunnerContext): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return false;
  const imports = importsOf(text);
  if (imports.some(({ module }) => runner.module.test(module))) return true;
  if (runner.sign === undefined || !/^\s*(?:test|it|describe)(?:\.\w+)?\(/m.test(text)) return false;
  if (imports.some(({ local }) => ['test', 'it', 'describe'].includes(local))) return false;
  return namedRunner(context) === runner.name;
}

function namedRunner({ command, scripts, output, dependencies }: RunnerContext): string | null {
  for (const text of [[command, ...scripts].join('\n'), output, dependencies.join('\n')]) {
    const named = runners.filter(({ sign }) => sign?.test(text) === true);
    if (named.length > 0) return named.length === 1 ? (named[0]?.name ?? null) : null;
  }
  return null;
}

/** mocha prints a failed test as its suites and its title, one per line, the last with a colon. */
function readMocha(output: string): TestReport {
  const lines = [...linesOf(output)];
  for (const [index, line] of lines.entries()) {
    const first = /^ {2}(\d+\)) (.*)$/.exec(line);
    if (first === null) continue;
    const rest = lines.slice(index, index + 12);
    const last = rest.findIndex((next, at) => next.endsWith(':') || (at > 0 && !/^ {7,}\S/.test(next)));
    if (last < 0 || rest[last]?.endsWith(':') !== true) continue;
    const title = [first[2] ?? '', ...rest.slice(1, last + 1).map((next) => next.trim())].join(' > ');
    lines[index] = `FAILED ${title.slice(0, -1)}`;
  }
  return readLines(lines, {
    failed: [/^FAILED (.+)$/],
    unloaded: /^\s*(Exception during run):/,
    summary: /^\s*\d+ passing\b/,
    passed: /(\d+) passing/,
    assertion: /AssertionError|ERR_ASSERTION|expected .* to /,
    load,
  });
}

/** tape names the test in a comment above its assertions. */
function readTape(output: string): TestReport {
  let test = '';
  const lines = linesOf(output).map((line) => {
    test = /^# (?!tests |pass |fail )(.+)$/.exec(line)?.[1] ?? test;
    return /^not ok \d/.test(line) ? `FAILED ${test}` : line;
  });
  return readLines(lines, {
    failed: [/^FAILED (.+)$/],
    next: /^(?:ok \d|# )/,
    assertion: /operator: (?!fail|error)/,
  });
}

/** tap counts a file with a failed test as failed too. */
function readTap(output: string): TestReport {
  const { failed, passed } = readLines(linesOf(output), {
    failed: [/^(?: {4})?not ok \d+ - (.+?)(?: # time=\S+)?(?: \{)?$/],
    summary: /^# \{ total: \d+, pass: \d+/,
    passed: /pass: (\d+)/,
    next: /^\s*(?:not )?ok \d/,
    assertion: /isToplevel/,
  });
  const isFile = (name: string): boolean => /^\S+\.[cm]?[jt]sx?$/.test(name);
  const tests = failed.filter(({ name }) => !isFile(name));
  return { failed: tests.length > 0 ? tests : failed.map(({ name }) => ({ name, cause: 'load' })), passed };
}
