// Plants, negates and reads tests of RSpec and Minitest. Pure.
import { negateLines, oppositeCall } from './line-negation.ts';
import { mask } from '#analysis/texts/mask.ts';
import { readReportBy, restOf } from './report-reader.ts';
import { capital, withLineEnd, writeEach } from './style.ts';
import type { JoinedId } from './style.ts';
import { noPlace } from './test-runner.ts';
import type { Planted, SourceText, TestRunner } from './test-runner.ts';

const focused = /\b(?:fit|fdescribe|fcontext)\b|\bfocus: true|:focus\b/;

export const rspec: TestRunner = {
  name: 'RSpec',
  isTestFile: ({ path, text }) =>
    path.endsWith('.rb') && /^\s*(?:RSpec\.)?describe\b/m.test(text) && /\bexpect\b/.test(text),
  plant: (file, _, id) => plantExamples(file, id),
  readReport: readReportBy({
    failed: [/^ {2}\d+\) (.+)$/],
    unloaded: /^An error occurred while loading (\S+?)\.?$/,
    summary: /^\d+ examples?, \d+ failures?/,
    passed: restOf(/(\d+) examples?/, /(\d+) (?:failures?|pending)/g),
    next: /^(?:Finished in|Failed examples:)/,
    assertion: /^\s+expected(?::|\b.*\bto\b)|ExpectationNotMetError/m,
    load: /LoadError|NameError|NoMethodError/,
  }),
  negate: (file, _, tests) =>
    negateLines(file, tests, {
      language: 'ruby',
      filtered: new RegExp(String.raw`${focused.source}|\bx(?:it|describe|context)\b|\bskip\b|\bpending\b`),
      testIn: (index, { source }) =>
        /^\s*it\s*\(?(['"])([^'"#\\]+)\1\)? do\s*$/.exec(source[index] ?? '')?.[2] ?? null,
      opposite: (source, masked) => {
        const pattern = /^(\s*expect\(.*\)\.)(to|not_to|to_not) \w.*$/;
        return oppositeCall(source, masked, {
          pattern,
          pairs: [
            ['to', 'not_to'],
            ['to', 'to_not'],
          ],
        });
      },
    }),
};

const matchers: Readonly<Record<string, string>> = {
  eq: "eq('green')",
  eql: "eql('green')",
  include: "include('green')",
  match: 'match(/^green$/)',
  be_nil: 'be_nil',
  be_empty: 'be_empty',
};

function plantExamples({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'ruby');
  if (focused.test(masked) || !endsAtTop(masked)) return noPlace(path);
  const used = Object.keys(matchers).filter((word) => new RegExp(String.raw`\bto ${word}\b`).test(masked));
  const words = used.length > 0 ? used : ['eq'];
  const { texts, failures } = writeEach(id, words, (word, one) => {
    const statement = `expect(${joined(one)}).to ${matchers[word] ?? ''}`;
    return [`  it ${joined(one)} do\n    ${statement}\n  end\n`, one.id];
  });
  return {
    kind: 'planted',
    text: beforeEnd(text, `RSpec.describe String do\n${texts.join('\n')}end\n`),
    failures,
  };
}

function joined({ parts }: JoinedId): string {
  return `%w[${parts.join(' ')}].join('_')`;
}

/** The last line of code closes a block at the left margin. */
function endsAtTop(masked: string): boolean {
  return /^end$/.test(
    masked
      .replace(/^__END__$[\s\S]*/m, '')
      .trimEnd()
      .split('\n')
      .at(-1) ?? '',
  );
}

function beforeEnd(text: string, piece: string): string {
  const data = /^__END__$/m.exec(text);
  if (data === null) return `${withLineEnd(text)}\n${piece}`;
  return `${text.slice(0, data.index).trimEnd()}\n\n${piece}\n${text.slice(data.index)}`;
}

const baseClass = /^class \w+ < ((?:Minitest::Test|ActiveSupport::TestCase|Test::Unit::TestCase))$/m;

const assertions: Readonly<Record<string, (id: string) => string>> = {
  assert_equal: (id) => `assert_equal 'green', ${id}`,
  refute_equal: (id) => `refute_equal ${id}, ${id}`,
  assert: (id) => `assert ${id} == 'green', ${id}`,
  refute: (id) => `refute ${id} != 'green', ${id}`,
  assert_nil: (id) => `assert_nil ${id}`,
  assert_includes: (id) => `assert_includes ${id}, 'green'`,
};

const minitestPairs: readonly (readonly [string, string])[] = [
  ['assert_equal', 'refute_equal'],
  ['assert_nil', 'refute_nil'],
  ['assert_includes', 'refute_includes'],
  ['assert_empty', 'refute_empty'],
  ['assert_match', 'refute_match'],
  ['assert', 'refute'],
];

export const minitest: TestRunner = {
  name: 'Minitest',
  isTestFile: ({ path, text }) => path.endsWith('.rb') && baseClass.test(text),
  plant: (file, _, id) => plantMethods(file, id),
  readReport: readReportBy({
    failed: [/^([A-Z][\w:]*#test_\w+)(?: \[.*\])?:$/],
    summary: /^\d+ (?:runs|tests), \d+ assertions, \d+ failures/,
    passed: restOf(/^(\d+)/, /(\d+) (?:failures|errors|skips)/g),
    next: /^ {2}\d+\) |^\d+ runs/,
    assertion: /^\S+ \[.*\]:$/m,
    load: /LoadError|NameError|NoMethodError/,
  }),
  negate: (file, _, tests) =>
    negateLines(file, tests, {
      language: 'ruby',
      testIn: (index, { masked }) => /^\s*def (test_\w+)\s*$/.exec(masked[index] ?? '')?.[1] ?? null,
      opposite: (source, masked) =>
        oppositeCall(source, masked, {
          pattern: /^(\s*)((?:assert|refute)\w*)[ (](?!.*\bdo\b).*$/,
          pairs: minitestPairs,
        }),
    }),
};

function plantMethods({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'ruby');
  const base = baseClass.exec(masked)?.[1];
  if (base === undefined || !endsAtTop(masked)) return noPlace(path);
  const used = Object.keys(assertions).filter((word) =>
    new RegExp(String.raw`^\s*${word}[ (]`, 'm').test(masked),
  );
  const words = used.length > 0 ? used : ['assert_equal'];
  const { texts, failures } = writeEach(id, words, (word, one) => {
    const name = `test_${one.identifier}`;
    return [`  def ${name}\n    ${assertions[word]?.(joined(one)) ?? ''}\n  end\n`, name];
  });
  const planted = `class Test${capital(id)} < ${base}\n${texts.join('\n')}end\n`;
  return { kind: 'planted', text: beforeEnd(text, planted), failures };
}
