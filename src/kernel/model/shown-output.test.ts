import { expect, it } from 'vitest';
import { failureWords, shownLines, shownOutput } from './shown-output.ts';

const excerpt = `2 failing tests (the whole output: 0003.log)

 FAIL  sum.test.js > adds
AssertionError: expected 3 to be 4

 FAIL  sum.test.js > handles zero
AssertionError: expected 0 to be 1`;

it('The shown output of a check is its failures rather than its end, and is cut at the end', () => {
  expect(shownOutput({ tail: 'at the end', excerpt }, 4000)).toBe(excerpt);
  expect(shownOutput({ tail: 'at the end', excerpt }, 20)).toBe('2 failing tests (the\n[… cut …]');
  expect(shownOutput({ tail: 'abcdef' }, 2)).toBe('[… 4 characters left out …]\nef');
});

it('The output on a screen has the first and the last lines', () => {
  const tail = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('\n');
  const lines = shownLines({ tail });
  expect(lines).toHaveLength(13);
  expect(lines.slice(7, 10)).toEqual(['line 7', '…', 'line 36']);
});

it('The output on a screen also has errors between the first and the last lines, but limits their number', () => {
  const plain = (word: string) => Array.from({ length: 9 }, (_, index) => `${word} ${index}`);
  const error = "E   ModuleNotFoundError: No module named 'calc'";
  const lines = shownLines({ tail: [...plain('frame'), error, ...plain('summary')].join('\n') });
  expect(lines.slice(7)).toEqual(['frame 7', '…', error, '…', ...plain('summary').slice(-4)]);
  const many = Array.from({ length: 30 }, (_, index) => `TypeError: no ${index}`);
  expect(shownLines({ tail: [...plain('frame'), ...many, ...plain('summary')].join('\n') })).toHaveLength(18);
});

it('The description of a failure is the first failing test and its assertion, or the first line with an error', () => {
  expect(failureWords({ tail: '', excerpt })).toBe(
    '2 failing tests: FAIL  sum.test.js > adds: AssertionError: expected 3 to be 4',
  );
  expect(failureWords({ tail: '', excerpt: excerpt.replace(/ \(the.*/, '') })).toBe(
    '2 failing tests: FAIL  sum.test.js > adds: AssertionError: expected 3 to be 4',
  );
  expect(failureWords({ tail: 'compiling\na.ts(1,2): error TS2304: no name\nmore\n' })).toBe(
    'a.ts(1,2): error TS2304: no name',
  );
  expect(failureWords({ tail: 'one\ntwo\n' })).toBe('two');
  expect(failureWords({ tail: '' })).toBe('');
  expect(failureWords({ tail: 'x'.repeat(1000) }).length).toBe(200);
});

it('The path of the whole output is never used as the description of a failure', () => {
  const failed = 'one\nthe last word\n[the whole output: /logs/0003.log]';
  expect(failureWords({ tail: '', excerpt: failed })).toBe('the last word');
});
