// Plants, negates and reads JUnit 5 tests, with the reports of the calibrated build tool. Pure.
import { type ClassRules, plantInClass } from './class-file.ts';
import { negateLines, oppositeCall } from './line-negation.ts';
import { readReportBy, restOf } from './report-reader.ts';
import type { TestRunner } from './test-runner.ts';

const javaRules: ClassRules = {
  language: 'java',
  call: /(?<![\w.])((?:Assertions\.)?)(assert\w+)\(/g,
  words: {
    assertEquals: (id) => `"green", ${id}`,
    assertNotEquals: (id) => `${id}, ${id}`,
    assertTrue: (id) => `"green".equals(${id}), ${id}`,
    assertFalse: (id) => `!"green".equals(${id}), ${id}`,
    assertNull: (id) => id,
  },
  join: ({ parts }) => `String.join("_", "${parts[0]}", "${parts[1]}")`,
  method: (identifier, statement) => `    @Test\n    void ${identifier}() {\n        ${statement}\n    }\n`,
  name: (identifier) => identifier,
};

const javaPairs: readonly (readonly [string, string])[] = [
  ['assertEquals', 'assertNotEquals'],
  ['assertTrue', 'assertFalse'],
  ['assertNull', 'assertNotNull'],
];

export const jUnit: TestRunner = {
  name: 'JUnit',
  isTestFile: ({ path, text }) =>
    path.endsWith('.java') && /^import org\.junit\.jupiter\.api\.(?:Test|\*);/m.test(text),
  plant: (file, _, id) => plantInClass(file, id, javaRules),
  readReport: readReportBy({
    failed: [/^\[ERROR\] (?:\S+\.)?([\w$]+\.\w+)(?:\(\))? -- Time elapsed: .* <<< (?:FAILURE|ERROR)!$/],
    unloaded: /^\[ERROR\] (COMPILATION ERROR)/,
    summary: /^\[\w+\] Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$/,
    passed: restOf(/Tests run: (\d+)/, /(?:Failures|Errors|Skipped): (\d+)/g),
    next: /^\[/,
    assertion: /<<< FAILURE!/,
    load: /NoClassDefFoundError|ClassNotFoundException|NoSuchMethodError/,
  }),
  negate: (file, _, tests) =>
    negateLines(file, tests, {
      language: 'java',
      filtered: /@Disabled|@EnabledIf/,
      testIn: (index, { masked }) =>
        /^\s*@Test\s*$/.test(masked[index - 1] ?? '')
          ? (/^\s*(?:public )?void (\w+)\(\).*\{\s*$/.exec(masked[index] ?? '')?.[1] ?? null)
          : null,
      opposite: (source, masked) => {
        const pattern = /^(\s*(?:Assertions\.)?)(assert\w+)\(.*\);\s*$/;
        const opposite = oppositeCall(source, masked, { pattern, pairs: javaPairs });
        return opposite !== null && isImported(opposite, file.text) ? opposite : null;
      },
    }),
};

function isImported(line: string, text: string): boolean {
  const word = /\b(assert\w+)\(/.exec(line)?.[1] ?? '';
  return (
    /^\s*Assertions\./.test(line) ||
    new RegExp(String.raw`^import static .*\.(?:\*|${word});`, 'm').test(text)
  );
}
