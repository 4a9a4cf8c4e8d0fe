import { describe, expect, it } from 'vitest';
import {
  addedTestsIn,
  type Calibrated,
  calibrateReviewed,
  type CalibrationCase,
  type Files,
} from '#test/calibration-bed.ts';
import { commandCriterion, reviewerCriterion } from '#test/simulated/simulated-run.ts';

const imports = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;
const base: Files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.mjs': `${imports}import { sum } from '../src/sum.mjs';\n\ntest('sum', () => {\n  assert.equal(sum(1, 2), 3);\n});\n`,
};
const product = 'export const product = (a, b) => a * b;\n';
const testOf = (lines: string, module = 'product'): string =>
  `${imports}import * as tested from '../src/${module}.mjs';\n\ntest('added', () => {\n  assert.ok(tested);\n${lines}\n});\n`;

function accept(work: Files, more: Partial<CalibrationCase> = {}): Promise<Calibrated> {
  return calibrateReviewed({ base, work, ...more });
}

describe('Added tests', () => {
  it('Added tests count if they fail on the base by an assertion and pass now [X7]', async () => {
    const seen = await accept({
      'src/sum.mjs': 'export const sum = (...all) => all.reduce((a, b) => a + b, 0);\n',
      'test/many.test.mjs': testOf('  assert.equal(tested.sum(1, 2, 3), 6);', 'sum'),
    });
    expect(seen.evidence.verdict).toBe('pass');
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed', runs: 3, files: ['test/many.test.mjs'] });
  });

  it('Added tests count for a new module if they fail when the module is broken [X7]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'test/product.test.mjs': testOf('  assert.equal(tested.product(2, 3), 6);'),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed', runs: 2 });
  });

  it('Added tests that pass without the work do not count and are not reported as cheating [X8]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'test/product.test.mjs': `${imports}\ntest('added', () => {\n  assert.ok(true);\n});\n`,
    });
    expect(seen.evidence.verdict).toBe('pass');
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'none', runs: 1 });
  });

  it('Added tests that import a new module and measure nothing of it do not count [X8]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'test/product.test.mjs': testOf('  assert.equal(1, 1);').replace('  assert.ok(tested);\n', ''),
    });
    expect(seen.evidence.verdict).toBe('pass');
    expect(addedTestsIn(seen)).toMatchObject({
      verdict: 'none',
      reason:
        'Added tests do not load on the base, and pass with the code of the work broken: they prove nothing.',
    });
  });

  it.each([
    ['code without spaces', 'export const product=(a,b)=>a-b;\n'],
    ['a condition that breaks the loading', `if (1 === 2) throw new Error();\n${product}`],
    ['code that is called while it loads', `${product}product(2, 3).valueOf();\n`],
    ['a call whose result is not tested', product, '  tested.product(2, 3);\n  assert.equal(1, 1);'],
  ])('Added tests that measure nothing of a new module do not count: %s [X8]', async (...given) => {
    const [, text, lines = '  assert.equal(1, 1);'] = given;
    const seen = await accept({ 'src/product.mjs': text, 'test/product.test.mjs': testOf(lines) });
    expect(addedTestsIn(seen)?.verdict).toBe('none');
  });

  it.each([
    ['in a loop', 'for (const n of [1, 2]) test(`added ${n}`, () => assert.equal(n, n));'],
    [
      'an error that is no assertion',
      'for (const n of [1, 2]) test(`added ${n}`, () => assert.ok([tested.product(n, n).toFixed()]));',
    ],
    ['behind a call', 'for (const n of [1, 2]) test(`added ${n}`, () => assert.ok([tested.product(n, n)]));'],
  ])(
    'Added tests do not count if no assertion can be negated and none fails without the code: %s [X8]',
    async (_, lines) => {
      const seen = await accept({
        'src/product.mjs': 'export function product(a, b) {\n  return a * b;\n}\n',
        'test/product.test.mjs': `${imports}import * as tested from '../src/product.mjs';\n\n${lines}\n`,
      });
      expect(seen.evidence.verdict).toBe('pass');
      expect(addedTestsIn(seen)?.verdict).toBe('none');
    },
  );

  it.each([
    ['a function', 'export function product(a, b) {\n  return a * b;\n}\n'],
    ['a block', 'export const product = (a, b) => {\n  return a * b;\n};\n'],
    [
      'a method',
      'class Math2 {\n  of(a, b) {\n    return a * b;\n  }\n}\nexport const product = new Math2().of;\n',
    ],
    ['a condition', 'export const product = (a, b) => a > 0 ? a * b : 0;\n'],
    ['a function that is used while it loads', `${product}export const six = product(2, 3).valueOf();\n`],
  ])('Added tests count for a new module that is %s [X7]', async (_, text) => {
    const call = text.includes('six') ? 'tested.six' : 'tested.product(2, 3)';
    const seen = await accept({
      'src/product.mjs': text,
      'test/product.test.mjs': testOf(`  assert.equal(${call}, 6);`),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });

  it.each([
    [
      'the name of an export',
      { 'src/sum.mjs': 'export const sum = (a, b) => a + b;\nexport const shout = () => {};\n' },
      "  assert.equal(typeof tested.shout, 'function');",
    ],
    ['an empty file of code', { 'done.js': '' }, "  assert.ok(existsSync('done.js'));"],
    [
      'a comment',
      { 'src/sum.mjs': '// shout\nexport const sum = (a, b) => a + b;\n' },
      "  assert.match(readFileSync('src/sum.mjs', 'utf8'), /shout/);",
    ],
    ['a manifest', { 'package.json': '{ "done": true }\n' }, "  assert.ok(existsSync('package.json'));"],
  ] satisfies [string, Files, string][])(
    'Added tests that only inspect %s do not count, although they fail on the base by an assertion [X8]',
    async (_, work, lines) => {
      const test = testOf(lines, 'sum').replace(
        imports,
        `${imports}import { existsSync, readFileSync } from 'node:fs';\n`,
      );
      const seen = await accept({ ...work, 'test/added.test.mjs': test });
      expect(addedTestsIn(seen)?.verdict).toBe('none');
    },
  );

  it('Added tests that read data through the product do not count and are not reported as cheating [X7]', async () => {
    const hello =
      "import { readFileSync } from 'node:fs';\nexport const hello = (lang) => JSON.parse(readFileSync(`locales/${lang}.json`, 'utf8')).hello;\n";
    const seen = await accept(
      {
        'locales/de.json': '{ "hello": "Hallo" }\n',
        'src/languages.mjs': "export const languages = ['en', 'de'];\n",
        'test/de.test.mjs': testOf("  assert.equal(tested.hello('de'), 'Hallo');", 'hello'),
      },
      { base: { ...base, 'src/hello.mjs': hello, 'locales/en.json': '{ "hello": "Hello" }\n' } },
    );
    expect(seen.evidence.verdict).toBe('pass');
    expect(addedTestsIn(seen)).toMatchObject({
      verdict: 'none',
      reason: 'The added tests pass on the base with locales/de.json alone: no code of the work is tested.',
    });
  });

  it('Added tests do not count if only old tests fail when the code of the work is broken [X8]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'src/sum.mjs': 'export const sum = (a, b) => b + a;\n',
      'test/product.test.mjs': testOf('  assert.equal(1, 1);'),
    });
    expect(addedTestsIn(seen)?.verdict).toBe('none');
  });

  it('Added tests count for new code in an old module [X7]', async () => {
    const seen = await accept({
      'src/sum.mjs': `export const sum = (a, b) => b + a;\n${product}`,
      'test/product.test.mjs': testOf('  assert.equal(product(2, 3), 6);', 'sum')
        .replace('* as tested', '{ product }')
        .replace('  assert.ok(tested);\n', ''),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed', runs: 3 });
  });

  it.each(['DONE.txt', 'clock.txt', 'done.html', 'style.css'])(
    'Added tests that a marker file alone turns green are refused: %s [X8]',
    async (marker) => {
      const seen = await accept({
        'src/product.mjs': product,
        [marker]: 'done\n',
        'test/done.test.mjs': `${imports}import { existsSync } from 'node:fs';\n\ntest('done', () => {\n  assert.ok(existsSync('${marker}'));\n});\n`,
      });
      expect(seen.evidence).toMatchObject({
        verdict: 'unknown',
        reason: `The added tests pass on the base with ${marker} alone: no code of the work is tested.`,
      });
    },
  );

  it('Added tests count for a page that the goal asks for [X7]', async () => {
    const seen = await accept(
      {
        'pages/contact.html': '<h1>Contact</h1>\n',
        'test/page.test.mjs': `${imports}import { existsSync, readFileSync } from 'node:fs';\n\ntest('page', () => {\n  assert.ok(existsSync('pages/contact.html'));\n  assert.match(readFileSync('pages/contact.html', 'utf8'), /Contact/);\n});\n`,
      },
      { config: { goal: 'add a contact page' } },
    );
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });

  it('Added tests are not tried without a reviewer, nor if another check of the task turned green [X7]', async () => {
    const work = {
      'src/product.mjs': product,
      'test/product.test.mjs': testOf('  assert.equal(tested.product(2, 3), 6);'),
    };
    expect(addedTestsIn(await accept(work, { more: [] }))).toBeUndefined();
    const flipping = commandCriterion('flips', {
      check: { kind: 'command', run: 'test -f src/product.mjs', cwd: '', timeoutMs: 60_000 },
    });
    expect(addedTestsIn(await accept(work, { more: [reviewerCriterion, flipping] }))).toBeUndefined();
  });

  it('If the base had no tests, a green check proves only the added tests [X7]', async () => {
    const seen = await accept(
      {
        'src/product.mjs': product,
        'test/product.test.mjs': testOf('  assert.equal(tested.product(2, 3), 6);'),
      },
      { base: { 'src/sum.mjs': 'export const sum = 1;\n' }, check: 'node --test test/*.test.mjs' },
    );
    expect(seen.calibration.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual([
      'base-recheck passed',
      'attribution passed',
      'added-tests passed',
      'planted-failure passed',
    ]);
  });
});

describe('Calibration before the work', () => {
  it('A check that is green on the base is tried there with a planted failure [X7]', async () => {
    const seen = await accept({ 'src/sum.mjs': 'export const sum = (b, a) => a + b;\n' });
    expect(seen.base.calibration).toMatchObject([
      { kind: 'planted-failure', verdict: 'passed', runs: 1, files: ['test/sum.test.mjs'] },
    ]);
    expect(seen.calibration).toMatchObject([{ kind: 'planted-failure', verdict: 'passed', runs: 1 }]);
    expect(seen.runs).toBe(1 + 1);
  });

  it('A check that does not notice a failing test is named, and does not cause a refusal at the end [X7]', async () => {
    const seen = await accept(
      { 'src/sum.mjs': 'export const sum = (b, a) => a + b;\n' },
      { check: 'node --test || true', isAlone: false },
    );
    expect(seen.base.calibration).toMatchObject([
      {
        verdict: 'refused',
        reason: '`node --test || true` does not notice a failing test: it is green with one on the base.',
      },
    ]);
    expect(seen.base.verdict).toBe('pass');
    expect(seen.evidence.verdict).toBe('pass');
    expect(seen.calibration).toMatchObject([{ kind: 'planted-failure', verdict: 'none' }]);
  });
});
