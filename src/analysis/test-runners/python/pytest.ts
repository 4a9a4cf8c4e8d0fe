// Plants, negates and reads tests of pytest. Pure.
import { changeInPython } from './expectations.ts';
import { negateNestedInPython } from './negate-nested.ts';
import { negateInPython, plantInPython } from './test-file.ts';
import { readReportBy } from '#analysis/test-runners/report-reader.ts';
import { noPlace } from '#analysis/test-runners/test-runner.ts';
import type { RunnerContext, SourceText, TestRunner } from '#analysis/test-runners/test-runner.ts';

const readReport = readReportBy({
  failed: [
    /^(?:\[gw\d+\] \[ *\d+%\] )?FAILED (\S+?\.py::.+?)(?: - .*)?$/,
    /^(\S+?\.py::.+?) FAILED(?: +\[ *\d+%\])?$/,
  ],
  unloaded: /^ERROR (\S+?\.py(?:::.+?)?)(?: - .*)?$/,
  summary: /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ [a-z]+ in [\d.]+s\b/,
  passed: /(\d+) passed\b/,
  next: /^/,
  assertion: / - (?:assert\b|AssertionError|Failed: DID NOT)/,
  load: / - (?:ModuleNotFoundError|ImportError|SyntaxError|NameError)\b/,
});

export const pytest: TestRunner = {
  name: 'pytest',
  isTestFile: ({ path, text }, context) =>
    /^\s*(?:async )?def test|^class Test/m.test(text) && isCollected(path, context),
  plant(file, context, id) {
    const functionName = functionNames(context);
    return functionName === null ? noPlace(file.path) : plantInPython(file, id, { functionName });
  },
  readReport,
  negate: (file, _, tests) => negateInPython(file, tests),
  negateNested: (file, _, tests) => negateNestedInPython(file, tests),
  changeExpectations: (file, { changed }, tests) => changeInPython(file, { changed, tests }),
};

/** By pytest's default names; settings may define others, and a command may name the file. */
function isCollected(path: string, { command, scripts, settings }: RunnerContext): boolean {
  if (!path.endsWith('.py') || /(?:^|\/)conftest\.py$/.test(path)) return false;
  if (/(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path)) return true;
  const isNamed = [command, ...scripts].some((text) => text.includes(path));
  return isNamed || settings.some(({ text }) => text.includes('python_files'));
}

/** The pattern of test functions in pytest's settings; null if it cannot be used for a name. */
function functionNames({ settings, command, scripts }: RunnerContext): string | null {
  if ([command, ...scripts].some((text) => text.includes('python_functions'))) return null;
  const set = settings.map(pythonFunctions).find((names) => names !== undefined);
  if (set === undefined) return 'test_*';
  const [first = ''] = set.trim().split(/\s+/);
  if (/^\w+$/.test(first)) return `${first}*`;
  return /^\w*\*\w*$/.test(first) && !first.startsWith('*') ? first : null;
}

function pythonFunctions({ path, text }: SourceText): string | undefined {
  if (!/(?:^|\/)(?:pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml)$/.test(path))
    return undefined;
  const found = /^\s*python_functions\s*=\s*(.*(?:\n[ \t]+\S.*)*)/m.exec(text)?.[1];
  return found?.replace(/["'[\],]/g, ' ');
}
