// Tests that a person allowed the work to change, and tests of another task.
import { describe, expect, it } from 'vitest';
import { calibrateCase, type CalibrationCase, type Files } from '#test/calibration-bed.ts';
import { proofOfTask } from '#kernel/proof/proof-kind.ts';
import { present } from '#base/assert.ts';
import { reviewerCriterion } from '#test/simulated/simulated-run.ts';

const imports = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
`;
const testOf = (title: string, assertion: string): string =>
  `\ntest('${title}', () => {\n  ${assertion}\n});\n`;
const oldTest = testOf('sum', 'assert.equal(sum(1, 2), 3);');
const green: Files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.mjs': imports + oldTest,
};
const red: Files = { ...green, 'src/sum.mjs': 'export const sum = () => 0;\n' };
const weakened: Files = { 'test/sum.test.mjs': imports + oldTest.replace(', 3)', ', 0)') };
const check = 'node --test';
const mayChange = { config: { mayChange: ['test/**'] } };

describe('A test that a person allowed the work to change', () => {
  it('A changed test that alone turned the check green does not prove the work, and the person is asked [X8]', async () => {
    const { evidence, calibration } = await calibrateCase({ base: red, work: weakened, check, ...mayChange });
    expect(evidence.verdict).toBe('unknown');
    expect(calibration.at(-1)).toMatchObject({ kind: 'attribution', verdict: 'refused', asks: 'person' });
    expect(evidence.reason).toContain('turned green without a change of product code');
  });

  it('A changed test does not prove the work beside a product change that does nothing [X8]', async () => {
    const work = { ...weakened, 'src/other.mjs': 'export const other = 1;\n' };
    const { evidence, calibration } = await calibrateCase({ base: red, work, check, ...mayChange });
    expect(evidence.verdict).toBe('unknown');
    expect(calibration.at(-1)).toMatchObject({ kind: 'attribution', verdict: 'refused', asks: 'person' });
  });

  it('Honest work passes beside a test that a person allowed it to change [X7]', async () => {
    const work = {
      'src/sum.mjs': green['src/sum.mjs'] ?? '',
      'test/sum.test.mjs': `// Sums.\n${imports}${oldTest}`,
    };
    const { evidence, calibration } = await calibrateCase({ base: red, work, check, ...mayChange });
    expect(evidence.verdict).toBe('pass');
    expect(calibration.find(({ kind }) => kind === 'attribution')).toMatchObject({
      verdict: 'passed',
      runs: 1,
    });
  });

  it('A changed test is the work if the goal names it [X7]', async () => {
    const config = { ...mayChange.config, goal: 'The sum in test/sum.test.mjs is wrong: it should be 0.' };
    const { evidence } = await calibrateCase({ base: red, work: weakened, check, config });
    expect(evidence.verdict).toBe('pass');
  });
});

const grown: CalibrationCase = {
  base: green,
  work: {
    'src/sum.mjs': 'export const sum = (...all) => all.reduce((a, b) => a + b, 0);\n',
    'test/sum.test.mjs': imports + oldTest + testOf('sum of three', 'assert.equal(sum(1, 2, 3), 6);'),
  },
  check,
  more: [reviewerCriterion],
  isAlone: true,
};

describe('Tests added to an existing file', () => {
  it.each([
    ['a person let the work change', mayChange],
    ['a person accepted as it is now', { accepted: ['test/sum.test.mjs'] }],
  ])('Tests added to a file that %s are added tests [X7]', async (_, more) => {
    const { evidence, calibration } = await calibrateCase({ ...grown, ...more });
    expect(evidence.verdict).toBe('pass');
    expect(calibration.find(({ kind }) => kind === 'added-tests')).toMatchObject({
      verdict: 'passed',
      files: ['test/sum.test.mjs'],
    });
  });

  it('Tests added to an existing file prove nothing if they pass without the work [X8]', async () => {
    const vacuous = imports + oldTest + testOf('more', 'assert.equal(sum(2, 2), 4);');
    const work = { ...grown.work, 'test/sum.test.mjs': vacuous };
    const { calibration } = await calibrateCase({ ...grown, ...mayChange, work });
    expect(calibration.find(({ kind }) => kind === 'added-tests')).toMatchObject({ verdict: 'none' });
  });
});

describe('Test lines accepted by a reviewer', () => {
  const accepted = { accepted: ['test/sum.test.mjs'], acceptedBy: 'verifier_001' };

  it('Test lines accepted by a reviewer are added tests, and the checks run once more with the original file [X7]', async () => {
    const { evidence, calibration, facts } = await calibrateCase({ ...grown, ...accepted, isAlone: false });
    expect(evidence.verdict).toBe('pass');
    expect(calibration.find(({ kind }) => kind === 'added-tests')).toMatchObject({ verdict: 'passed' });
    const pinned = facts.flatMap((fact) =>
      fact.type === 'evidence-recorded' && fact.evidence.purpose === 'pinned' ? [fact.evidence.verdict] : [],
    );
    expect(pinned).toEqual(['pass']);
  });

  it('Test lines accepted by a reviewer do not let a check pass that is red with the original file [X8]', async () => {
    const skipped = imports + oldTest.replace('{\n', '{\n  return;\n');
    const work = { 'src/sum.mjs': 'export const sum = () => 0;\n', 'test/sum.test.mjs': skipped };
    const { evidence } = await calibrateCase({ ...grown, ...accepted, isAlone: false, work });
    expect(evidence).toMatchObject({ verdict: 'fail', reason: 'with test/sum.test.mjs as it was: exit 1' });
  });
});

describe('Tests of a later task', () => {
  const product: Files = {
    'src/product.mjs': 'export const product = (a, b) => a * b;\n',
    'test/product.test.mjs': `${imports.replace('sum }', 'product }').replace('sum.mjs', 'product.mjs')}${testOf('product', 'assert.equal(product(2, 3), 6);')}`,
  };
  const untested: Files = { 'src/login.mjs': 'export const login = () => true;\n' };

  it('Tests of a later task do not prove an earlier task that brought none [X8]', async () => {
    const { calibration, run } = await calibrateCase({ ...grown, work: untested, later: product });
    expect(calibration.find(({ kind }) => kind === 'added-tests')).toBeUndefined();
    expect(proofOfTask(run, present(run.tasks.get('main'), 'the run has a task'))).not.toBe('added-tests');
  });

  it('An earlier task keeps its own tests as proof after a later task without tests [X7]', async () => {
    const { calibration } = await calibrateCase({ ...grown, work: product, later: untested });
    expect(calibration.find(({ kind }) => kind === 'added-tests')).toMatchObject({
      verdict: 'passed',
      files: ['test/product.test.mjs'],
    });
  });
});

it('The trials of a check take at most about half an hour, and the evidence names that limit [X7]', async () => {
  const { evidence, calibration } = await calibrateCase({
    base: red,
    work: {
      'src/sum.mjs': green['src/sum.mjs'] ?? '',
      'test/more.test.mjs': imports + testOf('more', 'assert.equal(sum(2, 2), 4);'),
    },
    check,
    through: (checker) => ({
      check: async (request) => ({ ...(await checker.check(request)), durationMs: 9 * 60_000 }),
    }),
  });
  expect(evidence.verdict).toBe('pass');
  expect(calibration.map(({ kind, runs }) => [kind, runs])).toEqual([
    ['base-recheck', 1],
    ['attribution', 2],
    ['planted-failure', 1],
    ['negation', 0],
  ]);
  expect(calibration.at(-1)).toMatchObject({
    verdict: 'none',
    reason: '`node --test` ran for 30 minutes in trials: not calibrated any further.',
  });
});

describe('Product code named like test material', () => {
  it('Product code named like test material is the work [X7]', async () => {
    const { evidence } = await calibrateCase({
      base: {
        'test/a.test.mjs': `${imports.replace('sum }', 'restore }').replace('sum.mjs', 'snapshot.mjs')}${testOf('restore', 'assert.equal(restore(), 1);')}`,
      },
      work: { 'src/snapshot.mjs': 'export const restore = () => 1;\n' },
      check,
    });
    expect(evidence.verdict).toBe('pass');
  });

  it('Product code is the work in a folder that a make target is named after [X7]', async () => {
    const { evidence } = await calibrateCase({
      base: {
        Makefile: '.PHONY: backend\nbackend:\n\t@grep -q right backend/sum.mjs\n',
        'backend/sum.mjs': '// wrong\n',
      },
      work: { 'backend/sum.mjs': '// right\n' },
      check: 'make backend',
    });
    expect(evidence.verdict).toBe('pass');
  });
});
