// Plants, negates and reads tests of Perl's Test::More. Pure.
import { isClosed, mask } from '#analysis/texts/mask.ts';
import { readReportBy } from './report-reader.ts';
import { namesOfOne } from './reports.ts';
import { withLineEnd, writeEach } from './style.ts';
import { noAssertion, noPlace } from './test-runner.ts';
import type { Negated, Planted, SourceText, TestRunner } from './test-runner.ts';

export const testMore: TestRunner = {
  name: 'Test::More',
  isTestFile: ({ path, text }) => /\.(?:t|pl)$/.test(path) && /^use Test::More\b/m.test(text),
  plant: (file, _, id) => plant(file, id),
  readReport: readReportBy({
    failed: [/^\s*# {3}Failed test '(.*)'$/],
    unloaded: /^\s*(No subtests run)/,
    next: /^# Looks like/,
    assertion: /Failed test/,
  }),
  negate: (file, _, tests) => negate(file, tests),
};

const words: Readonly<Record<string, (id: string) => string>> = {
  is: (id) => `is(${id}, 'green', ${id});`,
  isnt: (id) => `isnt(${id}, ${id}, ${id});`,
  ok: (id) => `ok(${id} eq 'green', ${id});`,
  like: (id) => `like(${id}, qr/^green$/, ${id});`,
  is_deeply: (id) => `is_deeply([${id}], ['green'], ${id});`,
};

/** Before the end of the plan, of the program, or of its text. */
const last = /^(?:done_testing\b|__END__|__DATA__|exit\b)/m;

function plant({ path, text }: SourceText, id: string): Planted {
  const masked = mask(text, 'perl');
  const end = last.exec(masked)?.index ?? text.length;
  const used = Object.keys(words).filter((word) =>
    new RegExp(String.raw`^\s*${word}\b[ (]`, 'm').test(masked),
  );
  if (used.length === 0 || !isClosed(masked.slice(0, end))) return noPlace(path);
  const { texts, failures } = writeEach(id, used, (word, one) => {
    const [first, second] = one.parts;
    return [words[word]?.(`join('_', '${first}', '${second}')`) ?? '', one.id];
  });
  return {
    kind: 'planted',
    text: `${withLineEnd(text.slice(0, end)).trimEnd()}\n\n${texts.join('\n')}\n\n${text.slice(end)}`,
    failures,
  };
}

const opposites: Readonly<Record<string, string>> = {
  is: 'isnt',
  isnt: 'is',
  like: 'unlike',
  unlike: 'like',
};

/** Each assertion at the left margin with a plain name is a separate test. */
function negate({ path, text }: SourceText, tests: readonly string[] | null): Negated {
  const source = text.split('\n');
  const masked = mask(text, 'perl').split('\n');
  const found = masked.flatMap((line, at) => {
    const word = /^(isnt|is|like|unlike)\(.*\);\s*$/.exec(line)?.[1] ?? '';
    const name = /, '([^'\\]+)'\);\s*$/.exec(source[at] ?? '')?.[1];
    const isAsked = name !== undefined && tests?.includes(name) !== false;
    return word !== '' && isAsked && isClosed(line) ? [{ at, word, name }] : [];
  });
  const single = namesOfOne(found.map(({ name }) => name));
  const unique = found.filter(({ name }) => single.has(name));
  for (const { at, word } of unique)
    source[at] = `${opposites[word] ?? word}${(source[at] ?? '').slice(word.length)}`;
  if (unique.length === 0) return noAssertion(path);
  return { kind: 'negated', text: source.join('\n'), tests: unique.map(({ name }) => name) };
}
