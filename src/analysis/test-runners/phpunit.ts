// Plants, negates and reads tests of PHPUnit. Pure.
import { type ClassRules, plantInClass } from './class-file.ts';
import { negateLines, oppositeCall } from './line-negation.ts';
import { readReportBy, restOf } from './report-reader.ts';
import { capital } from './style.ts';
import type { TestRunner } from './test-runner.ts';

const phpRules: ClassRules = {
  language: 'php',
  call: /(\$this->|self::|static::)(assert\w+)\(/g,
  words: {
    assertSame: (id) => `'green', ${id}`,
    assertEquals: (id) => `'green', ${id}`,
    assertNotSame: (id) => `${id}, ${id}`,
    assertNotEquals: (id) => `${id}, ${id}`,
    assertTrue: (id) => `${id} === 'green', ${id}`,
    assertFalse: (id) => `${id} !== 'green', ${id}`,
    assertNull: (id) => id,
  },
  join: ({ parts }) => `implode('_', ['${parts[0]}', '${parts[1]}'])`,
  method: (identifier, statement) =>
    `    public function test${capital(identifier)}(): void\n    {\n        ${statement}\n    }\n`,
  name: (identifier) => `test${capital(identifier)}`,
};

const phpPairs: readonly (readonly [string, string])[] = [
  ['assertSame', 'assertNotSame'],
  ['assertEquals', 'assertNotEquals'],
  ['assertTrue', 'assertFalse'],
  ['assertNull', 'assertNotNull'],
  ['assertCount', 'assertNotCount'],
  ['assertContains', 'assertNotContains'],
];

export const phpUnit: TestRunner = {
  name: 'PHPUnit',
  isTestFile: ({ path, text }) => path.endsWith('.php') && /\bclass \w+ extends [\w\\]*TestCase\b/.test(text),
  plant: (file, _, id) => plantInClass(file, id, phpRules),
  readReport: readReportBy({
    failed: [/^\d+\) ([\w\\]+::\w+(?: with data set .*)?)$/],
    summary: /^(?:Tests: \d+, Assertions: |OK \(\d+ tests?, )/,
    passed: restOf(/(?:Tests: |OK \()(\d+)/, /(?:Failures|Errors|Skipped|Incomplete|Risky): (\d+)/g),
    next: /^(?:--|FAILURES!|ERRORS!)/,
    assertion: /Failed asserting|^\S*ExpectationFailedException/m,
    load: /Class "[^"]*" not found|undefined (?:function|method)/,
  }),
  negate: (file, _, tests) =>
    negateLines(file, tests, {
      language: 'php',
      testIn: (index, { masked }) => {
        const name = /^\s*public function (test\w+)\(\)(?:: void)?\s*\{?\s*$/.exec(masked[index] ?? '')?.[1];
        return name ?? null;
      },
      opposite: (source, masked) => {
        const pattern = /^(\s*(?:\$this->|self::|static::))(assert\w+)\(.*\);\s*$/;
        return oppositeCall(source, masked, { pattern, pairs: phpPairs });
      },
    }),
};
