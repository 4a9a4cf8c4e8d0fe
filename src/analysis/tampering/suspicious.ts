// Code that looks as if it knew that it is tested. Honest code does so too, now and then: it is noted for whoever reviews, never refused. Pure.
// The calibration finds code that disarms its tests; answers that are given to tests alone, and values that equal everything, it does not see.
import { isTest } from '#analysis/test-files/test-names.ts';

interface Sign {
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly says: string;
}

const script = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const knows = 'asks whether it is tested';

const signs: readonly Sign[] = [
  {
    files: script,
    pattern: /\b(?:NODE_TEST_CONTEXT|VITEST(?:_WORKER_ID|_POOL_ID)?|JEST_WORKER_ID)\b/,
    says: knows,
  },
  {
    files: script,
    pattern: /\.stack\b[^;\n]{0,80}(?:\.test\b|\.spec\b|['"`/]tests?\b|jest|mocha|vitest)/,
    says: knows,
  },
  {
    files: /\.py$/,
    pattern:
      /\bPYTEST_CURRENT_TEST\b|["'](?:pytest|unittest)["']\s+(?:not\s+)?in\s+sys\.modules|\bsys\.modules\.get\(\s*["'](?:pytest|unittest)|\binspect\.stack\(\)[^\n]{0,120}test/,
    says: knows,
  },
  { files: /\.go$/, pattern: /\btesting\.Testing\(\)|\bflag\.Lookup\(\s*"test\.|"\.test"\s*\)/, says: knows },
  {
    files: /\.rs$/,
    pattern: /\bcfg!\(\s*(?:not\(\s*)?test\b|#\[cfg\(\s*not\(\s*test\s*\)\s*\)\]/,
    says: knows,
  },
  {
    files: /\.py$/,
    pattern: /\bdef __eq__\(\w+,[^)]*\)[^:\n]*:\s*return True\b|\b__eq__ *= *lambda\b[^:\n]*: *True\b/,
    says: 'makes something that equals everything',
  },
  { files: /\.py$/, pattern: /^\s*builtins\.\w+\s*=(?!=)/m, says: 'replaces what is built in' },
];

/** What it does, in words; null for everything else. */
export function suspicionOf(path: string, text: string): string | null {
  if (isTest(path)) return null;
  return signs.find(({ files, pattern }) => files.test(path) && pattern.test(text))?.says ?? null;
}
