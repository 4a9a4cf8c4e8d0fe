// Plants, negates and reads tests of bats. Pure.
import { negateLines } from './line-negation.ts';
import { isClosed, mask } from '#analysis/texts/mask.ts';
import { readReportBy } from './report-reader.ts';
import { withLineEnd, writeEach } from './style.ts';
import { noPlace } from './test-runner.ts';
import type { Planted, SourceText, TestRunner } from './test-runner.ts';

export const bats: TestRunner = {
  name: 'bats',
  isTestFile: ({ path, text }) => path.endsWith('.bats') && /^@test\b/m.test(text),
  plant: (file, _, id) => plant(file, id),
  readReport: readReportBy({
    failed: [/^not ok \d+ (.+?)(?: in \d+ms)?$/, /^ ✗ (.+?)(?: \[\d+\])?$/],
    summary: /^\d+ tests?, \d+ failures?/,
    passed: (line) => Number(/^(\d+)/.exec(line)?.[1]) - Number(/(\d+) failure/.exec(line)?.[1]),
    next: /^(?:ok \d| ✓ )/,
    assertion: /`.*' failed/,
  }),
  negate: (file, _, tests) =>
    negateLines(file, tests, {
      language: 'shell',
      filtered: /^\s*(?:skip|if|for|while|case)\b/m,
      testIn: (index, { source }) =>
        /^@test (['"])([^'"$\\]+)\1 \{\s*$/.exec(source[index] ?? '')?.[2] ?? null,
      opposite: negateLine,
    }),
};

/** Names of tests are not expressions here, so the id is printed. */
function plant({ path, text }: SourceText, id: string): Planted {
  if (!isClosed(mask(text, 'shell').replace(/\\./g, ''))) return noPlace(path);
  const used = ['[', '[['].filter((word) => text.includes(`\n  ${word} `) || text.includes(`\n\t${word} `));
  const words = used.length > 0 ? used : ['['];
  const { texts, failures } = writeEach(id, words, (word, { parts, identifier }) => {
    const test = `${word} "$output" = green ${word === '[[' ? ']]' : ']'}`;
    const run = `run printf '%s_%s' ${parts[0]} ${parts[1]}\n  echo "$output"`;
    return [`\n@test "${identifier}" {\n  ${run}\n  ${test}\n}\n`, identifier];
  });
  return { kind: 'planted', text: withLineEnd(text) + texts.join(''), failures };
}

function negateLine(source: string): string | null {
  const found = /^(\s*\[\[? \S+ )(=|==|!=|-eq|-ne)( \S.* \]\]?\s*)$/.exec(source);
  if (found === null || /&&|\|\||-[ao] /.test(source)) return null;
  const [, lead = '', word = '', rest = ''] = found;
  const opposite = { '=': '!=', '==': '!=', '!=': '=', '-eq': '-ne', '-ne': '-eq' }[word];
  return opposite === undefined ? null : `${lead}${opposite}${rest}`;
}
