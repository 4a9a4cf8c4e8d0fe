// Changes expectations in Go tests that judge only with a changed helper of their package. Pure.
import { otherExpectation } from '#analysis/test-runners/expectations.ts';
import type { Imported } from '#analysis/test-runners/expectations.ts';
import { type NegationRules, negateLines } from '#analysis/test-runners/line-negation.ts';
import { mask } from '#analysis/texts/mask.ts';
import { noJudge } from '#analysis/test-runners/test-runner.ts';
import type { ChangedExpectations, SourceText } from '#analysis/test-runners/test-runner.ts';

const assertionWord = /\bt\.\w|\b(?:assert|require)\.|\bpanic\(/;

export function changeInGo(
  file: SourceText,
  tests: readonly string[] | null,
  {
    changed = [],
    ...rules
  }: Pick<NegationRules, 'language' | 'testIn'> & { readonly changed?: readonly SourceText[] | undefined },
): ChangedExpectations {
  const functions = functionsOf(file, changed);
  const judges = new Set<string>();
  const edited = negateLines(file, tests, {
    ...rules,
    except: assertionWord,
    opposite(source, masked) {
      const [head = ''] = /^\s*\w+\(t, /.exec(masked) ?? [];
      const without = (line: string): string => head.slice(0, -'t, '.length) + line.slice(head.length);
      const other = head === '' ? null : otherExpectation(without(source), without(masked), functions);
      if (other === null) return null;
      judges.add(other.judge);
      return head + other.text.slice(head.length - 't, '.length);
    },
  });
  if (edited.kind === 'none') return noJudge(file.path);
  return { ...edited, kind: 'changed', judges: [...judges] };
}

/** Functions that the tests call, and the changed file of the same folder that defines each. */
function functionsOf({ path, text }: SourceText, changed: readonly SourceText[]): Imported {
  const folderOf = (of: string): string => of.slice(0, of.lastIndexOf('/') + 1);
  const beside = changed.filter((one) => one.path.endsWith('.go') && folderOf(one.path) === folderOf(path));
  const called = [...mask(text, 'go').matchAll(/(?<![\w.])([A-Za-z_]\w*)\(/g)].map(([, name = '']) => name);
  const own = called.filter((name) => !/^(?:len|cap|u?int\d*|float\d+|string|byte|rune)$/.test(name));
  return new Map(
    own.map((name) => {
      const definition = new RegExp(String.raw`^func ${name}[(\[]`, 'm');
      return [name, beside.find((one) => definition.test(one.text))?.path ?? null];
    }),
  );
}
