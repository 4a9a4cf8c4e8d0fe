import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCheck } from '#kernel/model/check.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { RepositoryFacts } from './facts.ts';
import { infer } from './infer.ts';

const facts: RepositoryFacts = {
  files: [
    'README.md',
    'package.json',
    'tsconfig.json',
    'src/app.ts',
    'src/money.ts',
    'src/a/x.ts',
    'src/b/x.ts',
  ],
  gates: [
    { gate: 'tests', run: 'npm test', confidence: 0.95, why: 'package.json has the script test' },
    { gate: 'lint', run: 'npx eslint .', confidence: 0.6, why: 'it is guessed' },
  ],
  serve: 'npm run start',
  programs: ['till'],
  hasPages: true,
  symbols: [{ name: 'logger', what: 'variable', isExported: true, file: 'src/app.ts' }],
  keys: { 'package.json': ['name', 'a.port', 'b.port'], 'tsconfig.json': ['compilerOptions'] },
  timeoutMs: 1000,
};

function made(text: string, given: RepositoryFacts = facts): string {
  const inference = infer(text, given);
  if (inference.kind === 'ask') return `ask: ${inference.why}`;
  const checks = inference.checks.map((check) => `${check.kind} ${describeCheck(check)}`);
  return `${checks.join(' + ')}${inference.isSuggestion ? ' ?' : ''}`;
}

describe('sentences that become checks [K6]', () => {
  test.each([
    ['src/tax.ts exists', 'file src/tax.ts exists'],
    // A name alone has a folder that was not said; `./` says that it has none.
    ['`./notes.txt` exists', 'file notes.txt exists'],
    ['`notes.txt` exists', 'ask: it is not said where notes.txt lies'],
    ['- [ ] **The file `src/tax.ts` must exist.**', 'file src/tax.ts exists'],
    ['src/old.ts has been removed', 'file src/old.ts does not exist'],
    ['README.md mentions "Usage"', 'file README.md contains "Usage"'],
    ['package.json has a `db:seed` script', 'file package.json has scripts["db:seed"]'],
    ['`a.port` is set to 80 in package.json', 'file package.json has a.port = 80'],
    ['`strict` is true in tsconfig.json', 'file tsconfig.json has compilerOptions.strict = true'],
    [
      'money.ts exports a function `vatOf`',
      'symbol export vatOf in src/money.ts + symbol function vatOf in src/money.ts',
    ],
    ['logger is used in src/money.ts', 'symbol use of logger in src/money.ts'],
    ['All tests pass', 'gate npm test'],
    ['`till --version` works', 'command till --version'],
    ['GET /health returns 200', 'http GET http://127.0.0.1:{port}/health answers 200 ?'],
    ['The cart page shows "Empty"', 'browser http://127.0.0.1:{port}/cart shows body with "Empty" ?'],
    ['src/a.ts and src/b.ts exist', 'file src/a.ts exists + file src/b.ts exists'],
    ['src/t.ts exists and exports `t`', 'file src/t.ts exists + symbol export t in src/t.ts'],
  ])('The sentence becomes a check: %s', (text, expected) => {
    expect(made(text)).toBe(expected);
  });
});

describe('sentences in doubt [K6, K8]', () => {
  test.each([
    'src/tax.ts exists and is readable',
    'Either src/a.ts or src/b.ts exists',
    'If src/a.ts exists, src/b.ts exists',
    'src/a.ts does not export `b`',
    'logger is no longer used in src/app.ts',
    'x.ts exists',
    'Tax.java exists',
    'package.json has a `port` key',
    'lint is clean',
    'types check',
    'All tests pass within a minute',
    'A function `vatOf` exists that rounds up',
    'src/app.ts handles errors',
    '`till <file>` works',
    '`till` works',
    '`npm run dev` works',
    '`npm publish` succeeds',
    '`cargo test` passes',
    'POST /orders returns 201',
    'GET /orders returns 401 when nobody is logged in',
    'Add a `Total` component to src/app.ts',
    '',
    'a'.repeat(500),
    'one\ntwo',
    '`src/a.ts` is there and <0> exists',
  ])('A person is asked about the sentence: %s', (text) => {
    expect(made(text)).toMatch(/^ask: /);
  });

  test('A repository without known tests, server or pages gives no such check', () => {
    const bare = { ...facts, gates: [], serve: null, hasPages: false };
    for (const text of ['All tests pass', 'GET /health returns 200', 'The cart page shows "Empty"']) {
      expect(made(text, bare)).toMatch(/^ask: /);
    }
  });

  test('A word that is also a name stays a word where it is used as one', () => {
    const symbols = ['tests', 'pass', 'all'].map((name) => ({
      name,
      what: 'variable',
      isExported: true,
      file: 'src/a/x.ts',
    }));
    expect(made('All tests pass', { ...facts, symbols })).toBe('gate npm test');
  });

  test('Any text has an answer with a reason', () => {
    const word = fc.constantFrom(
      'src/a.ts',
      '`f`',
      '"t"',
      'exists',
      'and',
      'is',
      'not',
      'tests',
      'pass',
      '<0>',
      '(',
      '`',
      ',',
      'GET',
      '/x',
      '$&',
    );
    const sentence = fc.constantFrom(
      'src/tax.ts exists',
      'README.md mentions "Usage"',
      'money.ts exports a function `vatOf`',
      'All tests pass',
      'GET /health returns 200',
    );
    const inferred = countReached('a sentence that becomes a check', { floor: 0.05 });
    assertProperty(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
          fc
            .tuple(sentence, fc.array(word, { maxLength: 1 }))
            .map(([known, more]) => [known, ...more].join(' ')),
        ),
        (text) => {
          const found = infer(text, facts);
          if (found.kind === 'checks') inferred.mark();
          expect(found.why).not.toBe('');
        },
      ),
      { numRuns: 300, reaches: [inferred] },
    );
  });
});
