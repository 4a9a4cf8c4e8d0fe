// Plants, negates and reads tests of node:test. Pure.
import { importsOf, readJsFile } from './test-file.ts';
import { changeInJs } from './expectations.ts';
import { negateInJs } from './negate.ts';
import { negateNestedInJs } from './negate-nested.ts';
import { plantInJs } from './plant.ts';
import { readLines } from '#analysis/test-runners/report-reader.ts';
import { linesOf } from '#analysis/test-runners/reports.ts';
import type { TestReport, TestRunner } from '#analysis/test-runners/test-runner.ts';

const module = /^node:test$/;

/** The line of a "test" that is only a file's name: the file registered no test. */
export const fileOnlyTest =
  /^(?:[✔✖] \S+\.[cm]?[jt]sx? \(\d[\d.]*m?s\)|(?:not )?ok \d+ - \S+\.[cm]?[jt]sx?)$/;

export const nodeTest: TestRunner = {
  name: 'node:test',
  isTestFile: ({ path, text }) =>
    /\.[cm]?[jt]sx?$/.test(path) && importsOf(text).some(({ module: name }) => module.test(name)),
  plant: ({ path, text }, _, id) =>
    plantInJs(path, readJsFile(text, module), id, { isOwnObject: /\b\w+\.assert\.\w+\(/.test(text) }),
  readReport,
  negate: ({ path, text }, _, tests) =>
    negateInJs(path, readJsFile(text, module), { dialect: 'assert', tests }),
  negateNested: ({ path, text }, _, tests) =>
    negateNestedInJs(path, readJsFile(text, module), { dialect: 'assert', tests }),
  changeExpectations: ({ path, text }, { changed }, tests) =>
    changeInJs(path, readJsFile(text, module), { changed, tests }),
};

const load = /ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|SyntaxError|'test failed'/;

function readReport(output: string): TestReport {
  const lines = linesOf(output).map((line) =>
    / # (?:todo|skip)\b/i.test(line) ? '' : line.replaceAll('\\#', '#'),
  );
  const { failed, passed } = readLines(lines, {
    failed: [/^\s*✖ (.+?) \(\d[\d.]*m?s\)(?: # .*)?$/, /^\s*not ok \d+ - (.*)$/],
    summary: /^(?:#|ℹ) pass \d+$/,
    passed: /(\d+)$/,
    next: /^\s*(?:ok \d|✔ |▶ |test at )/,
    assertion: /AssertionError|ERR_ASSERTION/,
    load,
  });
  const files = lines.filter((line) => fileOnlyTest.test(line) && !/^(?:✖|not )/.test(line)).length;
  return { failed, passed: passed === null ? null : Math.max(0, passed - files) };
}
