// Plants, negates and reads tests of cargo, in `tests/` and inside product files. Pure.
import { negateLines, oppositeCall, wrapFirst } from './line-negation.ts';
import type { Lines } from './line-negation.ts';
import { isClosed, mask } from '#analysis/texts/mask.ts';
import { readReportBy } from './report-reader.ts';
import { withLineEnd, writeEach } from './style.ts';
import type { JoinedId } from './style.ts';
import { noPlace } from './test-runner.ts';
import type { Planted, SourceText, TestRunner } from './test-runner.ts';

export const cargo: TestRunner = {
  name: 'cargo test',
  isTestFile: ({ path, text }) => path.endsWith('.rs') && /#\[(?:\w+::)?test\b/.test(mask(text, 'rust')),
  plant: (file, _, id) => plant(file, id),
  readReport: readReportBy({
    failed: [
      /^test (\S+)(?: - should panic)? \.\.\. FAILED$/,
      /^---- (\S+) stdout ----$/,
      /^\s*FAIL \[[^\]]*\] (\S+ \S+)$/,
    ],
    unloaded: /^error: could not compile (`\S+`)/,
    summary: /^test result: \w+\. \d+ passed; /,
    passed: /(\d+) passed;/,
    next: /^(?:---- |failures:|test result: )/,
    assertion: /\bassertion (?:`[^`]*` )?failed|assertion failed:/,
  }),
  negate: (file, _, tests) =>
    negateLines(unfolded(file), tests, { language: 'rust', testIn: testName, opposite: negateLine }),
};

/** Functions on one line become three, as rustfmt writes them. */
function unfolded({ path, text }: SourceText): SourceText {
  const attribute = /^([ \t]*)(#\[(?:\w+::)?test\]) +(?=\S)/gm;
  const oneLine = /^([ \t]*)((?:pub )?(?:async )?fn \w+\(\) \{) *(\S.*\S) *\}$/gm;
  return { path, text: text.replace(attribute, '$1$2\n$1').replace(oneLine, '$1$2\n$1    $3\n$1}') };
}

/** Written so that clippy sees no comparison of a thing with itself. */
const statements: Record<string, (id: JoinedId) => string> = {
  assert_eq: (id) => `assert_eq!(${joined(id)}, "green");`,
  assert_ne: (id) => `assert_ne!(${joined(id)}, concat!("${id.id.slice(0, 2)}", "${id.id.slice(2)}"));`,
  assert: (id) => `assert!(${joined(id)} == "green", "{}", ${joined(id)});`,
};

function plant({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'rust');
  if (!isClosed(masked)) return noPlace(path);
  const used = Object.keys(statements).filter((word) => masked.includes(`${word}!(`));
  const words = used.length > 0 ? used : ['assert_eq'];
  const { texts, failures } = writeEach(id, words, (word, one) => {
    const statement = statements[word]?.(one) ?? '';
    return [`    #[test]\n    fn ${one.identifier}() {\n        ${statement}\n    }\n`, one.identifier];
  });
  return {
    kind: 'planted',
    text: `${withLineEnd(text)}\n#[cfg(test)]\nmod ${id} {\n${texts.join('\n')}}\n`,
    failures,
  };
}

function joined({ parts }: JoinedId): string {
  return `concat!("${parts[0]}", "_", "${parts[1]}")`;
}

function testName(index: number, { masked }: Lines): string | null {
  const name = /^\s*(?:pub )?(?:async )?fn (\w+)\(\)(?: -> .*)? \{$/.exec(
    (masked[index] ?? '').trimEnd(),
  )?.[1];
  return name !== undefined && /^\s*#\[(?:\w+::)?test\]$/.test((masked[index - 1] ?? '').trimEnd())
    ? name
    : null;
}

function negateLine(source: string, masked: string): string | null {
  const pattern = /^(\s*)(assert_eq|assert_ne)!\(.*\);\s*$/;
  const swapped = oppositeCall(source, masked, { pattern, pairs: [['assert_eq', 'assert_ne']] });
  const truth = /^\s*assert!\((?=.*\);\s*$)/.exec(masked);
  if (swapped !== null || truth === null) return swapped;
  return wrapFirst(source, masked, { start: truth[0].length, wrap: (text) => `!(${text})` });
}
