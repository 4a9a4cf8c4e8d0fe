// Changes expectations in JavaScript tests that judge only with a changed helper. Pure.
import { otherExpectation, pathFrom } from '#analysis/test-runners/expectations.ts';
import type { ExpectationOrder, Imported } from '#analysis/test-runners/expectations.ts';
import { importsOf } from './test-file.ts';
import { escaped } from '#analysis/texts/path-words.ts';
import type { JsFile } from './test-file.ts';
import { editTests } from './negate.ts';
import { noJudge } from '#analysis/test-runners/test-runner.ts';
import type { ChangedExpectations } from '#analysis/test-runners/test-runner.ts';

export function changeInJs(
  path: string,
  file: JsFile,
  { changed = [], tests }: ExpectationOrder,
): ChangedExpectations {
  const imported = importedIn(path, file.text, changed);
  const judges = new Set<string>();
  const edited = editTests(file, tests, ({ parameter, start, end }) => {
    if (assertionWord(file, imported, parameter).test(file.masked.slice(start, end))) return null;
    return ({ at, line }) => {
      const other = otherExpectation(file.text.slice(at, at + line.length), line, imported);
      if (other !== null) judges.add(other.judge);
      return other?.text ?? null;
    };
  });
  return judges.size === 0 ? noJudge(path) : { kind: 'changed', ...edited, judges: [...judges] };
}

/** Words that assert by themselves, unless the file imports such a function from its own project. */
function assertionWord({ assertFunctions, assertObjects }: JsFile, imported: Imported, parameter: string) {
  const common = ['assert', 'expect', 'should', 'chai', 'sinon'].filter((word) => !imported.has(word));
  const own = parameter === '' ? [] : [parameter];
  const words = [...common, ...assertFunctions.keys(), ...assertObjects, ...own].map(escaped);
  return new RegExp(String.raw`(?<![\w$])(?:${[...words, 'throw'].join('|')})(?![\w$])`);
}

const extension = /\.[cm]?[jt]sx?$/;

function importedIn(path: string, text: string, changed: readonly string[]): Imported {
  const own = importsOf(text).filter(({ module }) => module.startsWith('.'));
  return new Map(
    own.map(({ local, module }) => {
      const target = pathFrom(path, module).replace(extension, '');
      const names = [target, `${target}/index`];
      return [local, changed.find((file) => names.includes(file.replace(extension, ''))) ?? null];
    }),
  );
}
