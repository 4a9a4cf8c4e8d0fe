// What a change of a pinned file takes away, by the words in it. For people: it says how, it never decides whether.

interface Sign {
  readonly says: string;
  readonly pattern: RegExp;
  /** Whether it is the growing or the shrinking number of these that tells. */
  readonly when: 'more' | 'fewer';
}

const signs: readonly Sign[] = [
  {
    says: 'skips tests',
    when: 'more',
    pattern:
      /\b(?:describe|it|test|suite|context|bench)\.(?:skip|todo|fixme|skipIf|fails)\b|\bx(?:it|describe|test|context|specify)\s*\(|@pytest\.mark\.(?:skip|xfail)|\bpytest\.(?:skip|importorskip)\s*\(|@(?:unittest\.)?skip(?:If|Unless)?\b|\bself\.skipTest\(|\b[tb]\.Skip(?:f|Now)?\(|#\[ignore|@(?:Disabled|Ignore|EnabledIf|EnabledOn|DisabledIf|DisabledOn)\w*|\bassum(?:e|ing)(?:True|False|That)\s*\(|\[Ignore\b|\bSkip\s*=\s*"|\bskip:\s*(?:true|["'`])|markTest(?:Skipped|Incomplete)|^\s*(?:skip|pending)\b(?:\s+["']|$)|^\/\/(?:go:build|\s*\+build)\s|#!\[cfg\b/gm,
  },
  {
    says: 'runs only some tests',
    when: 'more',
    pattern: /\b(?:describe|it|test|suite|context)\.only\b|\bf(?:it|describe|context)\s*\(|\bonly:\s*true/g,
  },
  {
    says: 'has fewer tests',
    when: 'fewer',
    pattern:
      /\b(?:it|test|specify)(?:\.\w+)*\s*\(|\bdef test\w*\s*\(|\bfunc (?:\([^)]*\) )?Test\w*\(|#\[(?:\w+::)?test\]|@(?:Parameterized)?Test\b/g,
  },
  {
    says: 'has fewer assertions',
    when: 'fewer',
    pattern:
      /\bexpect\s*\(|\bassert\w*[\s!.(]|\b(?:require|should)\.\w+|\bt\.(?:Error|Fatal|Fail)\w*\(|\bgrep\b|\btest -\w/g,
  },
  {
    says: 'empties test bodies',
    when: 'more',
    pattern:
      /=>\s*\{\s*\}|\bfunction\s*\w*\([^)]*\)\s*\{\s*\}|\bdef \w+\([^)]*\)[^:\n]*:\s*(?:pass|\.\.\.)\s*(?:#.*)?(?:\n|$)|\b(?:func|fn|void) \w+\([^)]*\)\s*\{\s*\}/g,
  },
  {
    says: 'asserts what is always so',
    when: 'more',
    pattern:
      /\bexpect\((?:true|1|null)\)|\bassert\s*\(?\s*(?:True|true|1)\b|\bassert(?:\.ok|!|_true|True)?\((?:true|True|1)\b/g,
  },
  {
    says: 'ends early or hides a failure',
    when: 'more',
    pattern:
      /(?:^|[\s;&])exit 0\b|\bprocess\.exit\(0?\)|\b(?:sys\.)?exit\(0?\)|\bos\._exit\(|\bos\.Exit\(0\)|\|\|\s*(?:true|:|exit 0)|\bset \+e\b|--passWithNoTests|continue-on-error:\s*true|--no-verify/gm,
  },
  {
    says: 'switches rules off',
    when: 'more',
    pattern:
      /["']off["']|:\s*["']?off["']?\s*[,}\n]|eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|nocheck|expect-error)|#\s*(?:noqa|type:\s*ignore|pylint:\s*disable)|#!?\[allow\(|\/\/\s*nolint/g,
  },
  {
    says: 'leaves more out',
    when: 'more',
    pattern: /\b(?:ignore|exclude|omit|deselect|testPathIgnore)\w*/gi,
  },
];

/** In the words of one who reads the change: `skips tests`. Empty where nothing tells. */
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

/** Whether some number, place by place, is higher in `after`; or stands there alone. */
function isHigher(before: string, after: string, pattern: RegExp): boolean {
  const [old, now] = [valuesOf(before, pattern), valuesOf(after, pattern)];
  if (old.length !== now.length) return now.length > old.length;
  return now.some((value, index) => value > (old[index] ?? value));
}

function valuesOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => Number(match[1] ?? match[2]));
}
