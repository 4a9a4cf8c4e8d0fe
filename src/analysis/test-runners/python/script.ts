// Plants a failure in Python scripts that the command names. Pure.
import { isTest } from '#analysis/test-files/test-names.ts';
import { createScriptRunner, isStarted } from '#analysis/test-runners/scripts.ts';
import { joinedId, styleOf, withLineEnd } from '#analysis/test-runners/style.ts';
import { noPlace, type Planted, type SourceText } from '#analysis/test-runners/test-runner.ts';
import { isClosed, mask } from '#analysis/texts/mask.ts';

export const pythonScript = createScriptRunner(
  'Python script',
  ({ path, text }, context) =>
    path.endsWith('.py') &&
    (pythonAssertion.test(text) || (isTest(path) && pythonFailure.test(text) && !/\bpytest\b/.test(text))) &&
    !/\bunittest\b/.test(text) &&
    isStarted(path, String.raw`python[\d.]*`, context),
  plantInPythonScript,
);

const pythonAssertion = /^\s*assert\b/m;
const pythonFailure = /\b_?exit\((?!\s*0?\s*\))|\braise\b/;
/** Modules that may end the process themselves. */
const pythonModules = /^\s*(?:from|import)\s+(?:\.|\S*(?:test|harness|helper))/m;
/** An exit with 1 or more, or with a text, is a failure; after any other, the place may not be reached. */
const pythonLeaving =
  /\b(?:_?exit|quit|SystemExit)\((?!\s*(?:[1-9]\d*|f?_+)\s*\))|\braise SystemExit\b(?!\()/;
const pythonExit =
  /^(?:(?:sys\.)?exit|raise SystemExit)\([^\n]*\)\s*$(?![\s\S]*^\S)|^[ \t]+sys\.exit\(\w+\(\)\)\s*$(?![\s\S])/m;

function plantInPythonScript({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'python');
  const exit = pythonExit.exec(masked)?.index ?? text.length;
  const isAsserting = pythonAssertion.test(text);
  if (!isClosed(masked) || pythonLeaving.test(masked.slice(0, exit))) return noPlace(path);
  if (!isAsserting && pythonModules.test(masked)) return noPlace(path);
  const { quote } = styleOf(text);
  const one = joinedId(id, 0);
  const value = `${quote}_${quote}.join([${one.parts.map((part) => `${quote}${part}${quote}`).join(', ')}])`;
  const print = `print(${quote}not ok -${quote}, ${value}, flush=True)`;
  const end = /\bsys\.exit\(/.test(masked) ? 'sys.exit(1)' : `raise RuntimeError(${value})`;
  const failure = isAsserting
    ? [
        'try:',
        `    assert ${value} == ${quote}green${quote}`,
        'except AssertionError:',
        `    ${print}`,
        '    raise',
      ]
    : [print, end];
  // `sys.exit(main())`: the failure comes after the tests in main.
  const [, indent = '', main] =
    /^([ \t]*)(?:sys\.exit|raise SystemExit)\((\w+\(\))\)/.exec(masked.slice(exit)) ?? [];
  const lines = main === undefined ? failure : [`if not ${main}:`, ...failure.map((line) => `    ${line}`)];
  return {
    kind: 'planted',
    text: `${withLineEnd(text.slice(0, exit))}\n${lines.map((line) => `${indent}${line}\n`).join('')}${text.slice(exit)}`,
    failures: [{ id: one.id, test: one.id }],
  };
}
