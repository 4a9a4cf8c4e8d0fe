// Tests of vitest that the work focuses or skips, in files whose names no rule knows.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrateCase, type Files } from '#test/calibration-bed.ts';

const modules = join(import.meta.dirname, '../../node_modules');
const check = `ln -sfn '${modules}' node_modules && node_modules/.bin/vitest run`;
const head = "import { describe, expect, it } from 'vitest';\nimport { gap, sum } from '../src/math.js';\n\n";
const test = `${head}describe('sum', () => {\n  it('sums', () => {\n    expect(sum(1, 2)).toBe(3);\n  });\n});\n\nit('gaps', () => {\n  expect(gap(3, 1)).toBe(2);\n});\n`;
const right = 'export const sum = (a, b) => a + b;\nexport const gap = (a, b) => a - b;\n';
const wrong = right.replace('a + b', '0');
const base: Files = {
  '.gitignore': 'node_modules\n',
  'package.json': '{ "type": "module" }\n',
  'vitest.config.js': "export default { test: { include: ['proofs/**'], globals: true } };\n",
  'src/math.js': wrong,
  'proofs/math.js': test,
};
const accept = (work: Files) => calibrateCase({ base, work, check, isAlone: true });

describe('Vitest tests in files that no naming rule knows', () => {
  it.each([
    ['it.only', test.replace("it('gaps'", "it.only('gaps'")],
    ['describe.skip', test.replace("describe('sum'", "describe.skip('sum'")],
    ['it.skip', test.replace("it('sums'", "it.skip('sums'")],
    [
      'describe.only in a new suite',
      `${test}\ndescribe.only('easy', () => {\n  it('is', () => {\n    expect(1).toBe(1);\n  });\n});\n`,
    ],
  ])('Work that excludes the failing vitest test is refused: %s [X8]', async (_, edited) => {
    for (const more of [{}, { 'src/math.js': `${wrong}// Better.\n` }]) {
      const { evidence, calibration } = await accept({ 'proofs/math.js': edited, ...more });
      expect(evidence.verdict).toBe('unknown');
      expect(calibration.some(({ verdict }) => verdict === 'refused')).toBe(true);
    }
  });

  it('Correct work with unchanged vitest tests passes [X7]', async () => {
    const { evidence, calibration } = await accept({ 'src/math.js': right });
    expect(evidence.verdict).toBe('pass');
    expect(calibration.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual([
      'base-recheck passed',
      'planted-failure passed',
      'negation passed',
    ]);
  });
});
