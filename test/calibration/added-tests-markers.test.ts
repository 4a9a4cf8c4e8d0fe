// Added tests that only read a file: a marker with any extension, or data that the product may need.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  addedTestsIn,
  type Calibrated,
  calibrateReviewed,
  type CalibrationCase,
  type Files,
} from '#test/calibration-bed.ts';

const imports = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;
const reading = `${imports}import { readFileSync } from 'node:fs';\n`;
const base: Files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
  'test/sum.test.mjs': `${imports}import { sum } from '../src/sum.mjs';\n\ntest('sum', () => {\n  assert.equal(sum(1, 2), 3);\n});\n`,
};
const product = 'export const product = (a, b) => a * b;\n';
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

function accept(work: Files, more: Partial<CalibrationCase> = {}): Promise<Calibrated> {
  return calibrateReviewed({ base, work, ...more });
}

function testOf(lines: string, head = imports): string {
  return `${head}\ntest('added', () => {\n  ${lines}\n});\n`;
}

const inert = (path: string): string =>
  `The added tests pass on the base with ${path} alone, which holds nothing but constants and is used by no product file: no code of the work is tested.`;

describe('Files with a code suffix', () => {
  it.each([
    ['done.sql', '-- done\n'],
    ['done.sh', '# done\n'],
    ['schema/done.proto', '// done\n'],
    ['done.graphql', '# done\n'],
    ['infra/done.tf', '# done\n'],
    ['src/done.mjs', '// done\nexport const nothing = (x) => x;\n'],
  ])('A code file whose text the added tests only read is data: %s [X8]', async (path, text) => {
    const seen = await accept({
      'src/product.mjs': product,
      [path]: text,
      'test/done.test.mjs': testOf(`assert.match(readFileSync('${path}', 'utf8'), /done/);`, reading),
    });
    expect(seen.evidence.verdict).toBe('pass');
    expect(addedTestsIn(seen)).toMatchObject({
      verdict: 'none',
      reason: `The added tests pass on the base with ${path} alone: no code of the work is tested.`,
    });
  });

  it('A code file does not count if the added tests load other code and assert only its text [X8]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'done.sql': '-- done\n',
      'test/done.test.mjs': testOf(
        "assert.ok(product);\n  assert.match(readFileSync('done.sql', 'utf8'), /done/);",
        `${reading}import { product } from '../src/product.mjs';\n`,
      ),
    });
    expect(addedTestsIn(seen)?.verdict).toBe('none');
  });

  it('A code file that a helper of the added tests reads is data [X8]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'done.sql': '-- done\n',
      'test/helpers/text.mjs':
        "import { readFileSync } from 'node:fs';\nexport const text = () => readFileSync('done.sql', 'utf8');\n",
      'test/done.test.mjs': testOf(
        'assert.match(text(), /done/);',
        `${imports}import { text } from './helpers/text.mjs';\n`,
      ),
    });
    expect(addedTestsIn(seen)?.verdict).toBe('none');
  });

  it('A code file that the added tests read and also start by name is work [X7]', async () => {
    const seen = await accept({
      'src/cli.mjs': 'console.log(Number(process.argv[2]) * 2);\n',
      'test/cli.test.mjs': testOf(
        "const cli = fileURLToPath(new URL('../src/cli.mjs', import.meta.url));\n  assert.ok(existsSync(cli));\n  assert.equal(spawnSync(process.execPath, [cli, '2'], { encoding: 'utf8' }).stdout, '4\\n');",
        `${imports}import { spawnSync } from 'node:child_process';\nimport { existsSync } from 'node:fs';\nimport { fileURLToPath } from 'node:url';\n`,
      ),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });

  it('A code file that the added tests run is work [X7]', async () => {
    const seen = await accept({
      'greet.sh': 'echo "hello $1"\n',
      'test/greet.test.mjs': testOf(
        "assert.equal(execFileSync('sh', ['greet.sh', 'Ann'], { encoding: 'utf8' }), 'hello Ann\\n');",
        `${imports}import { execFileSync } from 'node:child_process';\n`,
      ),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });

  it('A code file that the goal names is work [X7]', async () => {
    const seen = await accept(
      {
        'done.sql': 'create table done (id int);\n',
        'test/done.test.mjs': testOf(`assert.match(readFileSync('done.sql', 'utf8'), /table/);`, reading),
      },
      { config: { goal: 'Create the table in done.sql.' } },
    );
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });
});

describe('A new module that only re-exports another module', () => {
  it('A new module that only re-exports another one does not hide that the added tests measure the other one [X7]', async () => {
    const seen = await accept({
      'src/product.mjs': product,
      'src/index.mjs': "export { product } from './product.mjs';\n",
      'test/product.test.mjs': testOf(
        'assert.equal(product(2, 3), 6);',
        `${imports}import { product } from '../src/index.mjs';\n`,
      ),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });
});

describe('A new module that contains only constants', () => {
  it.each([
    ['a string', "export const status = 'done';\n"],
    [
      'a function without parameters',
      "export function state() {\n  return 'done';\n}\nexport const status = state();\n",
    ],
    ['an expression without inputs', "const parts = ['do', 'ne'];\nexport const status = parts.join('');\n"],
  ])('A module of constants that no product file uses is a marker: %s [X8]', async (_, text) => {
    const seen = await accept({
      'README.md': 'Done.\n',
      'src/done.mjs': text,
      'test/done.test.mjs': testOf(
        "assert.equal(status, 'done');",
        `${imports}import { status } from '../src/done.mjs';\n`,
      ),
    });
    expect(seen.evidence.verdict).toBe('pass');
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'none', reason: inert('src/done.mjs') });
  });

  it.skipIf(!hasPytest)(
    'A Python module of constants that no product file uses is a marker (needs pytest) [X8]',
    async () => {
      const seen = await accept(
        {
          'shop/done.py': 'STATUS = "done"\n',
          'tests/test_done.py':
            'from shop.done import STATUS\n\n\ndef test_done():\n    assert STATUS == "done"\n',
        },
        {
          base: {
            'shop/__init__.py': '',
            'shop/total.py': 'def total(a, b):\n    return a + b\n',
            'tests/test_total.py':
              'from shop.total import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n',
          },
          check: 'python3 -m pytest -q',
        },
      );
      expect(addedTestsIn(seen)).toMatchObject({ verdict: 'none', reason: inert('shop/done.py') });
    },
  );

  it('A module of constants that the product uses is work [X7]', async () => {
    const seen = await accept({
      'src/limits.mjs': 'export const termsMax = 6;\n',
      'src/sum.mjs':
        "import { termsMax } from './limits.mjs';\nexport const sum = (...all) => all.slice(0, termsMax).reduce((a, b) => a + b, 0);\n",
      'test/limits.test.mjs': testOf(
        'assert.equal(termsMax, 6);',
        `${imports}import { termsMax } from '../src/limits.mjs';\n`,
      ),
    });
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });

  it('A changed constant of the product is not a marker [X7]', async () => {
    const seen = await accept(
      {
        'src/limits.mjs': 'export const timeoutSeconds = 30;\n',
        'test/limits.test.mjs': testOf(
          'assert.equal(timeoutSeconds, 30);',
          `${imports}import { timeoutSeconds } from '../src/limits.mjs';\n`,
        ),
      },
      {
        base: { ...base, 'src/limits.mjs': 'export const timeoutSeconds = 10;\n' },
        config: { goal: 'Raise the default timeout to 30 s.' },
      },
    );
    expect(addedTestsIn(seen)).toMatchObject({ verdict: 'passed' });
  });
});

const keysTest = testOf(
  "const keys = (name) => Object.keys(JSON.parse(readFileSync(name, 'utf8')));\n  assert.deepEqual(keys('locales/de.json'), keys('locales/en.json'));",
  reading,
);

describe('Data files named by a test of the work', () => {
  it.each<[string, Files, string]>([
    [
      'beside other data of its kind',
      {
        'locales/de.json': '{ "hello": "Hallo" }\n',
        'src/languages.mjs': "export const languages = ['en', 'de'];\n",
        'test/de.test.mjs': keysTest,
      },
      'locales/de.json',
    ],
    [
      'that the product names',
      {
        'rates.json': '{ "eur": 1 }\n',
        'src/rates.mjs':
          "import { readFileSync } from 'node:fs';\nexport const rates = () => JSON.parse(readFileSync('rates.json', 'utf8'));\n",
        'test/rates.test.mjs': testOf("assert.match(readFileSync('rates.json', 'utf8'), /eur/);", reading),
      },
      'rates.json',
    ],
  ])(
    'A data file named by an added test does not count and is not reported as cheating: %s [X7]',
    async (_, work, path) => {
      const seen = await accept(work, {
        base: {
          ...base,
          'locales/en.json': '{ "hello": "Hello" }\n',
          'src/languages.mjs': "export const languages = ['en'];\n",
        },
        config: { goal: 'Add a German translation' },
      });
      expect(seen.evidence.verdict).toBe('pass');
      expect(addedTestsIn(seen)).toMatchObject({
        verdict: 'none',
        reason: `The added tests pass on the base with ${path} alone: no code of the work is tested.`,
      });
    },
  );
});

describe('A check that does not print which tests failed', () => {
  it('If a check does not print which tests failed, that is the reason why added tests do not count [X7]', async () => {
    const check = 'node --test > /dev/null';
    const seen = await accept(
      {
        'src/product.mjs': product,
        'test/product.test.mjs': testOf(
          'assert.equal(product(2, 3), 6);',
          `${imports}import { product } from '../src/product.mjs';\n`,
        ),
      },
      { check },
    );
    expect(addedTestsIn(seen)).toMatchObject({
      verdict: 'none',
      reason: `\`${check}\` does not print which tests failed: added tests cannot be proof.`,
    });
  });

  it.skipIf(!hasPytest)(
    'A check that prints only numbers is recognised as one that names no failed tests (needs pytest) [X7]',
    async () => {
      const check = 'python3 -m pytest --tb=no -q -rN';
      const seen = await accept(
        {
          'total.py': 'def total(a, b):\n    return a + b\n\n\ndef price(net):\n    return net * 2\n',
          'tests/test_price.py': 'from total import price\n\n\ndef test_price():\n    assert price(2) == 4\n',
        },
        {
          check,
          base: {
            'conftest.py': '',
            'total.py': 'def total(a, b):\n    return a + b\n',
            'tests/test_total.py':
              'from total import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n',
          },
        },
      );
      expect(addedTestsIn(seen)?.reason).toBe(
        `\`${check}\` does not print which tests failed: added tests cannot be proof.`,
      );
    },
  );
});
