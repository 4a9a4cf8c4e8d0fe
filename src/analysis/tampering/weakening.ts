// Describes what a change of a pinned file weakens, by its words. For people: it never decides.

import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { WordKind } from '#analysis/ecosystems/test-facts.ts';

interface Sign {
  readonly says: string;
  readonly pattern: RegExp;
  /** Whether a growing or a shrinking count is the sign. */
  readonly when: 'more' | 'fewer';
}

const signs: readonly Sign[] = [
  { says: 'skips tests', when: 'more', pattern: wordsOf('skipping') },
  { says: 'runs only some tests', when: 'more', pattern: wordsOf('focusing') },
  { says: 'has fewer tests', when: 'fewer', pattern: wordsOf('test') },
  {
    says: 'has fewer assertions',
    when: 'fewer',
    pattern: wordsOf(
      'assertion',
      /\bexpect\s*\(|\bassert\w*[\s!.(]|\b(?:require|should)\.\w+|\bgrep\b|\btest -\w/,
    ),
  },
  { says: 'empties test bodies', when: 'more', pattern: wordsOf('empty') },
  {
    says: 'asserts what is always so',
    when: 'more',
    pattern:
      /\bexpect\((?:true|1|null)\)|\bassert\s*\(?\s*(?:True|true|1)\b|\bassert(?:\.ok|!|_true|True)?\((?:true|True|1)\b/g,
  },
  {
    says: 'ends early or hides a failure',
    when: 'more',
    pattern: wordsOf(
      'ending',
      /(?:^|[\s;&])exit 0\b|\|\|\s*(?:true|:|exit 0)|\bset \+e\b|continue-on-error:\s*true|--no-verify/,
    ),
  },
  {
    says: 'switches rules off',
    when: 'more',
    pattern: wordsOf('unruled', /["']off["']|:\s*["']?off["']?\s*[,}\n]/),
  },
  {
    says: 'leaves more out',
    when: 'more',
    pattern: /\b(?:ignore|exclude|omit|deselect|testPathIgnore)\w*/gi,
  },
];

function wordsOf(kind: WordKind, common?: RegExp): RegExp {
  const own = factsOf('tests').flatMap((each) => each.words?.[kind] ?? []);
  const all = common === undefined ? own : [common, ...own];
  // An empty body may end with the text, not with a line.
  const flags = kind === 'empty' ? 'g' : 'gm';
  return new RegExp(all.map(({ source }) => source).join('|'), flags);
}

/** In the words of a reviewer: `skips tests`. Empty without a sign. */
export function weakeningsOf(before: string, after: string): string[] {
  if (after.trim() === '' && before.trim() !== '') return ['is emptied'];
  const found = signs.filter(({ pattern, when }) => {
    const [old, now] = [count(before, pattern), count(after, pattern)];
    return when === 'more' ? now > old : now < old;
  });
  return [...found.map(({ says }) => says), ...numbers(before, after)];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Larger tolerances, fewer digits, lower thresholds. */
function numbers(before: string, after: string): string[] {
  const found: string[] = [];
  const tolerance =
    /\b(?:tol\w*|rtol|atol|rel|abs|delta|eps\w*|margin|within|retr(?:y|ies)|flaky\w*)["']?\s*[=:(,]\s*([\d.]+(?:e-?\d+)?)/gi;
  const digits = /\b(?:toBeCloseTo|assertAlmostEqual)\([^)]*,\s*(\d+)\)|\bplaces\s*=\s*(\d+)/g;
  const threshold =
    /\b(?:fail[_-]under|branches|functions|lines|statements|threshold\w*|min\w*)["']?\s*[=:]\s*([\d.]+)/gi;
  const warnings = /--max-warnings[= ](\d+)/g;
  if (isHigher(before, after, tolerance) || isHigher(after, before, digits)) found.push('raises tolerances');
  if (isHigher(after, before, threshold) || isHigher(before, after, warnings))
    found.push('lowers thresholds');
  return found;
}

/** Whether some number, position by position, is higher in `after`, or is new there. */
function isHigher(before: string, after: string, pattern: RegExp): boolean {
  const [old, now] = [valuesOf(before, pattern), valuesOf(after, pattern)];
  if (old.length !== now.length) return now.length > old.length;
  return now.some((value, index) => value > (old[index] ?? value));
}

function valuesOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => Number(match[1] ?? match[2]));
}
