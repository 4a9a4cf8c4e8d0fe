// Changes expectations in Python tests that judge only with a changed helper. Pure.
import { otherExpectation, pathFrom } from '#analysis/test-runners/expectations.ts';
import type { ExpectationOrder, Imported } from '#analysis/test-runners/expectations.ts';
import { negateLines } from '#analysis/test-runners/line-negation.ts';
import { pythonTests } from './test-file.ts';
import { noJudge } from '#analysis/test-runners/test-runner.ts';
import type { ChangedExpectations, SourceText } from '#analysis/test-runners/test-runner.ts';

const assertionWord = /\b(?:assert|raise|with|pytest)\b|\b(?:self|cls)\.(?:assert|fail|sub)/;

export function changeInPython(
  file: SourceText,
  { changed = [], tests }: ExpectationOrder,
): ChangedExpectations {
  const imported = importedIn(file, changed);
  const judges = new Set<string>();
  const edited = negateLines(file, tests, {
    ...pythonTests,
    except: assertionWord,
    opposite(source, masked) {
      const other = otherExpectation(source, masked, imported);
      if (other !== null) judges.add(other.judge);
      return other?.text ?? null;
    },
  });
  if (edited.kind === 'none') return noJudge(file.path);
  return { ...edited, kind: 'changed', judges: [...judges] };
}

function importedIn({ path, text }: SourceText, changed: readonly string[]): Imported {
  const imports = text.matchAll(/^from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#(]+))/gm);
  return new Map(
    [...imports].flatMap(([, dots = '', module = '', many, one = '']) => {
      const isFile = fileTest(path, dots.length, module);
      const origin = changed.find(isFile) ?? null;
      const names = (many ?? one).split(',').map((entry) => entry.trim().split(/\s+as\s+/));
      return names.map(([name = '', local = name]): [string, string | null] => [local, origin]);
    }),
  );
}

/** An absolute module may be in any source folder. */
function fileTest(path: string, dots: number, module: string): (file: string) => boolean {
  const inside = module.replaceAll('.', '/');
  if (inside === '') return () => false;
  if (dots === 0) return (file) => `/${file}`.endsWith(`/${inside}.py`);
  const wanted = pathFrom(path, `${'../'.repeat(dots - 1)}${inside}.py`);
  return (file) => file === wanted;
}
