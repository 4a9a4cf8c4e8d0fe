// Plants, negates and reads tests of go test. Pure.
import { changeInGo } from './expectations.ts';
import { type NegationRules, negateLines, oppositeCall } from '#analysis/test-runners/line-negation.ts';
import { isClosed, mask } from '#analysis/texts/mask.ts';
import { readReportBy } from '#analysis/test-runners/report-reader.ts';
import { capital, withLineEnd, writeEach } from '#analysis/test-runners/style.ts';
import { noPlace } from '#analysis/test-runners/test-runner.ts';
import type { Planted, SourceText, TestRunner } from '#analysis/test-runners/test-runner.ts';

export const goTest: TestRunner = {
  name: 'go test',
  isTestFile: ({ path, text }) => path.endsWith('_test.go') && /\*testing\.T\b/.test(text),
  plant: (file, _, id) => plant(file, id),
  readReport: readReportBy({
    failed: [/^\s*--- FAIL: (\S+) \([\d.]+s\)$/],
    unloaded: /^FAIL\s+(\S+) \[(?:build|setup) failed\]$/,
    // Without -v it reports packages, not tests.
    summary: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\])/,
    passed: () => 1,
    next: /^(?:FAIL|ok)\s/,
    // Go has no assertions: a test that ends without a panic reported its own failure.
    assertion: /^(?![\s\S]*\bpanic: )/,
  }),
  changeExpectations: (file, { changedTexts }, tests) =>
    changeInGo(file, tests, { ...goTests, changed: changedTexts }),
  negate: (file, _, tests) =>
    negateLines(file, tests, {
      ...goTests,
      opposite: (source, masked) =>
        oppositeCall(source, masked, { pattern: /^(\s*(?:assert|require)\.)(\w+)\(t, .*\)\s*$/, pairs }),
    }),
};

const goTests: Pick<NegationRules, 'language' | 'testIn'> = {
  language: 'go',
  testIn: (index, { masked }) =>
    /^func (Test\w*)\(\w+ \*testing\.T\) \{$/.exec((masked[index] ?? '').trimEnd())?.[1] ?? null,
};

const pairs: readonly (readonly [string, string])[] = [
  ['Equal', 'NotEqual'],
  ['True', 'False'],
  ['Nil', 'NotNil'],
  ['NoError', 'Error'],
  ['Contains', 'NotContains'],
  ['Empty', 'NotEmpty'],
];

const statements: readonly { readonly word: RegExp; readonly write: (id: string) => string }[] = [
  { word: /\bt\.Fatal\(/, write: (id) => `t.Fatal(${id})` },
  { word: /\bt\.Fatalf\(/, write: (id) => `t.Fatalf("%s", ${tight(id)})` },
  { word: /\bt\.Error\(/, write: (id) => `t.Error(${id})` },
  { word: /\bt\.Errorf\(/, write: (id) => `t.Errorf("%s", ${tight(id)})` },
  { word: /\bassert\.Equal\(t,/, write: (id) => `assert.Equal(t, "green", ${tight(id)})` },
  { word: /\brequire\.Equal\(t,/, write: (id) => `require.Equal(t, "green", ${tight(id)})` },
];

/** As gofmt writes it between other arguments. */
function tight(id: string): string {
  return id.replaceAll(' + ', '+');
}

function plant({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'go');
  if (!isClosed(masked) || !/^import\b[\s\S]*?"testing"/m.test(text)) return noPlace(path);
  const used = statements.filter(({ word }) => word.test(masked));
  const words = used.length > 0 ? used : statements.slice(0, 1);
  const { texts, failures } = writeEach(id, words, ({ write }, { parts, identifier }) => {
    const name = `Test${capital(identifier)}`;
    const statement = write(`"${parts[0]}" + "_" + "${parts[1]}"`);
    return [`\nfunc ${name}(t *testing.T) {\n\t${statement}\n}\n`, name];
  });
  return { kind: 'planted', text: withLineEnd(text) + texts.join(''), failures };
}
