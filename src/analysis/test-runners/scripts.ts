// Tests without a runner: shell, Node and Python scripts that the command names. Pure.
import { isShell, isShellTest } from '#analysis/test-files/shell-tests.ts';
import { pathsIn } from '#analysis/test-files/started-scripts.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { isNodeTest, plantInNodeScript } from '#analysis/test-runners/javascript/script.ts';
import { isClosed, mask } from '#analysis/texts/mask.ts';
import { readReportBy } from './report-reader.ts';
import { joinedId, styleOf, withLineEnd } from './style.ts';
import { noAssertion, noPlace } from './test-runner.ts';
import type { Planted, RunnerContext, SourceText, TestRunner } from './test-runner.ts';

/** What is planted in a script prints this before the id; scripts that report in TAP are read as well. */
const readMarks = readReportBy({ failed: [/^not ok(?: \d+)? - (.+)$/], assertion: /^/ });

function createScriptRunner(
  name: string,
  isTestFile: TestRunner['isTestFile'],
  plant: (file: SourceText, id: string) => Planted,
): TestRunner {
  const negate: TestRunner['negate'] = ({ path }) => noAssertion(path);
  return { name, isTestFile, plant: (file, _, id) => plant(file, id), readReport: readMarks, negate };
}

/** Whether a program is started with this file by the command, a script or a Makefile; or with a variable, and a pattern matches it. */
function isStarted(path: string, program: string, context: RunnerContext): boolean {
  const starts = new RegExp(String.raw`(?:^|[\s;&|@"'(/])${program}(?:\s+-\S+)*\s+(\S+)`, 'gm');
  const files = startingTexts(context).flatMap((text) =>
    [...text.matchAll(starts)].map(([, file = '']) => file),
  );
  if (names(files.flatMap(pathsIn), path)) return true;
  return files.some((file) => /^["']?\$/.test(file)) && isTest(path) && isMatched(path, context);
}

/** `for t in tests/*.sh`. */
function isMatched(path: string, context: RunnerContext): boolean {
  const patterns = startingTexts(context)
    .flatMap(pathsIn)
    .filter((word) => /\*/.test(word) && /\w/.test(word));
  return patterns.some((word) => {
    const pattern = word.replace(/[$.+?^(){}|[\]\\]/g, String.raw`\$&`).replace(/\*+/g, '[^/]*');
    return new RegExp(`(?:^|/)${pattern}$`).test(path);
  });
}

function startingTexts({ command, scripts, settings }: RunnerContext): readonly string[] {
  const makefiles = settings.filter((file) => /(?:^|\/)(?:GNU)?[Mm]akefile$/.test(file.path));
  return [command, ...scripts, ...makefiles.map(({ text }) => text)];
}

/** From the folder that the script is started in, which may lie below the root. */
function names(words: readonly string[], path: string): boolean {
  return words.some((word) => word !== '' && (path === word || path.endsWith(`/${word}`)));
}

export const nodeScript = createScriptRunner(
  'Node script',
  ({ path, text }, context) =>
    /\.[cm]?[jt]s$/.test(path) && isNodeTest({ path, text }) && isStarted(path, 'node', context),
  plantInNodeScript,
);

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
/** An exit with 1 and more, or with a text, is a failure of its own; after any other, the place may not be reached. */
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
  // `sys.exit(main())`: the failure comes after the tests that main runs.
  const [, indent = '', main] =
    /^([ \t]*)(?:sys\.exit|raise SystemExit)\((\w+\(\))\)/.exec(masked.slice(exit)) ?? [];
  const lines = main === undefined ? failure : [`if not ${main}:`, ...failure.map((line) => `    ${line}`)];
  return {
    kind: 'planted',
    text: `${withLineEnd(text.slice(0, exit))}\n${lines.map((line) => `${indent}${line}\n`).join('')}${text.slice(exit)}`,
    failures: [{ id: one.id, test: one.id }],
  };
}

export const shellScript = createScriptRunner(
  'shell script',
  ({ path, text }, context) =>
    isShell(path, text) &&
    (names(startingTexts(context).flatMap(pathsIn), path) ||
      ((isTest(path) || isShellTest(path, text)) && isMatched(path, context))),
  plantInShell,
);

/** Each of the file's own words for a test: one that does not fail leaves the script green. A script without one only starts programs. */
function plantInShell({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'shell');
  const isOwn = /^\s*(?:function\s+test\b|test\s*\(\))/m.test(masked);
  const words = ['[', '[[', ...(isOwn ? [] : ['test'])].filter((word) =>
    new RegExp(String.raw`(?:^|[\s;&|!])${word.replaceAll('[', String.raw`\[`)} `, 'm').test(masked),
  );
  const exit = /^exit\b[^\n]*\s*$(?![\s\S]*^\S)/m.exec(masked)?.index ?? text.length;
  // An exit of 1 and more is a failure of its own; after any other, the place may not be reached.
  const isLeftBefore = /\bexec\b|\bexit\b(?!\s+[1-9])/.test(masked.slice(0, exit));
  if (words.length === 0 || isLeftBefore || /<<-?\s*\S/.test(masked)) return noPlace(path);
  const ids = words.map((_, index) => joinedId(id, index));
  const prints = ids.map(({ parts }) => `printf 'not ok - %s_%s\\n' ${parts[0]} ${parts[1]}; `);
  const tries = ids.map(({ parts }, index) => {
    const close = { '[': ' ]', '[[': ' ]]' }[words[index] ?? ''] ?? '';
    return `${words[index] ?? ''} "$(printf '%s_%s' ${parts[0]} ${parts[1]})" = green${close} || `;
  });
  return {
    kind: 'planted',
    text: `${withLineEnd(text.slice(0, exit))}\n${tries.join('')}{ ${prints.join('')}exit 1; }\n${text.slice(exit)}`,
    failures: ids.map((one) => ({ id: one.id, test: one.id })),
  };
}
