// Checks that run only some tests of a file: a planted test is not among them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type CalibrationCase, type Files } from '#test/calibration-bed.ts';

function has(program: string): boolean {
  const isHere = spawnSync(program, ['--version']).status === 0;
  if (!isHere) process.stderr.write(`NOT RUN: ${program} is missing; what needs it is not tested.\n`);
  return isHere;
}

const hasCargo = has('cargo');
const hasPython = has('python3');
const hasMake = has('make');

const crate: Files = {
  '.gitignore': 'target\nCargo.lock\n',
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
  Makefile: 'test:\n\tcargo test --offline $(T)\n',
};
const library = (body: string): Files => ({
  'src/lib.rs': `pub fn gap(a: i64, b: i64) -> i64 {
    ${body}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps() {
        assert_eq!(gap(3, 1), 2);
    }

    #[test]
    fn others() {
        assert_eq!(gap(0, 0), 0);
    }
}
`,
});
const inRust = (check: string, body: string): CalibrationCase => ({
  base: { ...crate, ...library('a + b') },
  work: library(body),
  check,
});

const modules = join(import.meta.dirname, '../../node_modules');
const vitest = `ln -sfn '${modules}' node_modules && node_modules/.bin/vitest run`;
const inVitest = (check: string): CalibrationCase => ({
  base: {
    '.gitignore': 'node_modules\n',
    'package.json': '{ "type": "module" }\n',
    'src/sum.ts': 'export const sum = (a: number, b: number): number => a - b;\n',
    'src/sum.test.ts':
      "import { expect, it } from 'vitest';\nimport { sum } from './sum.ts';\n\nit('sums', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n\nit('others', () => {\n  expect(sum(0, 0)).toBe(0);\n});\n",
  },
  work: { 'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n' },
  check,
});

const inUnittest = (check: string): CalibrationCase => ({
  base: {
    'gap.py': 'def gap(a, b):\n    return a + b\n',
    'tests/test_gap.py':
      "import unittest\n\nfrom gap import gap\n\n\nclass GapTest(unittest.TestCase):\n    def test_gap(self):\n        self.assertEqual(gap(3, 1), 2)\n\n\nif __name__ == '__main__':\n    unittest.main()\n",
  },
  work: { 'gap.py': 'def gap(a, b):\n    return a - b\n' },
  check,
});

const cases: [string, boolean, CalibrationCase][] = [
  ...[
    'cargo test --offline gaps',
    'cargo test -q --offline gaps',
    'cargo test --offline --lib gaps',
    'cargo test --offline -p calc gaps',
    'cargo test --offline -- gaps',
    'cargo test --offline -- --exact tests::gaps',
  ].map((check): [string, boolean, CalibrationCase] => [check, hasCargo, inRust(check, 'a - b')]),
  [
    'cargo test --offline gaps, where the base does not compile',
    hasCargo,
    { ...inRust('cargo test --offline gaps', 'a - b'), base: { ...crate, ...library('c') } },
  ],
  ['make test T=gaps', hasCargo && hasMake, inRust('make test T=gaps', 'a - b')],
  ['vitest run src/sum.test.ts:4', true, inVitest(`${vitest} src/sum.test.ts:4`)],
  [
    'python3 tests/test_gap.py GapTest.test_gap',
    hasPython,
    inUnittest('PYTHONPATH=. python3 tests/test_gap.py GapTest.test_gap'),
  ],
];

describe('Checks that select tests by name', () => {
  it.each(cases.filter(([, isPossible]) => isPossible))(
    'A check that selects tests by name does not refuse honest work: `%s` [X7]',
    async (_, __, given) => {
      const { evidence, calibration } = await calibrateCase({ ...given, isAlone: true });
      expect(calibration.filter(({ verdict }) => verdict === 'refused')).toEqual([]);
      expect(evidence.verdict).toBe('pass');
    },
  );

  it.skipIf(!hasCargo || !hasMake)(
    'A check that selects tests by name does not refuse honest work if the base takes too long to retry [X7]',
    async () => {
      let runs = 0;
      const { calibration } = await calibrateCase({
        ...inRust('make test T=gaps', 'a - b'),
        isAlone: true,
        through: (checker) => ({
          async check(request) {
            const finding = await checker.check(request);
            runs += 1;
            return runs === 1 ? { ...finding, durationMs: 11 * 60_000 } : finding;
          },
        }),
      });
      const tried = calibration.map(({ kind, verdict }) => [kind, verdict]);
      expect(tried.slice(0, 2)).toEqual([
        ['base-recheck', 'none'],
        ['planted-failure', 'none'],
      ]);
    },
  );

  it.skipIf(!hasCargo)(
    'A check that selects tests by name refuses work that ends the process of its tests [X8]',
    async () => {
      const given = inRust('cargo test --offline gaps', 'std::process::exit((a + b - a - b) as i32)');
      const { evidence } = await calibrateCase({ ...given, isAlone: true });
      expect(evidence.verdict).toBe('unknown');
      expect(evidence.reason).toContain('passes and so does its opposite');
    },
  );
});
