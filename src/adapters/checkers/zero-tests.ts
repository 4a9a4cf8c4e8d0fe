// Whether a test runner that we know executed any test at all, told from its output line by line. Pure.

export interface TestCount {
  /** Text as it comes, in pieces of any size. */
  add(text: string): void;
  /** `none`: a known runner said that it executed nothing, and none said otherwise. */
  finding():
    | { readonly kind: 'some' }
    | { readonly kind: 'none'; readonly runner: string }
    | { readonly kind: 'unrecognised' };
}

interface Rule {
  readonly runner: string;
  readonly pattern: RegExp;
  /** How many tests the line says were executed; skipped ones are not. */
  executed(line: string, match: RegExpExecArray): number;
}

const none = (): number => 0;
const first = (_: string, match: RegExpExecArray): number => Number(match[1]);
const ranOnes = (line: string): number =>
  countOf(line, /(\d+) (?:passed|failed|failures?|errors?|xfailed|xpassed)\b/g);

// Whole lines only: the same words in somebody's prose must not turn a good run into an unknown one.
const rules: readonly Rule[] = [
  { runner: 'node:test', pattern: /^(?:#|ℹ) tests 0$/, executed: none },
  { runner: 'node:test', pattern: /^(?:#|ℹ) (?:pass|fail) (\d+)$/, executed: first },
  { runner: 'vitest', pattern: /^No test files found\b/, executed: none },
  { runner: 'vitest', pattern: /^\s*(?:Test Files|Tests)\s+no tests$/, executed: none },
  {
    runner: 'vitest',
    pattern: /^\s*Tests\s+\d+ (?:passed|failed|skipped|todo)\b.*\(\d+\)$/,
    executed: ranOnes,
  },
  { runner: 'jest', pattern: /^No tests found\b/, executed: none },
  { runner: 'jest', pattern: /^Tests:\s+.*\b\d+ total$/, executed: ranOnes },
  { runner: 'mocha', pattern: /^\s*(\d+) (?:passing|failing)(?: \(.*\))?$/, executed: first },
  { runner: 'pytest', pattern: /^(?:=+ )?no tests (?:ran|collected)\b.* in [\d.]+s\b.*$/, executed: none },
  { runner: 'pytest', pattern: /^collected 0 items(?: \/ .*)?$/, executed: none },
  {
    runner: 'pytest',
    pattern:
      /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ (?:passed|failed|skipped|deselected|errors?|warnings?|xfailed|xpassed) in [\d.]+s\b.*$/,
    executed: ranOnes,
  },
  { runner: 'unittest', pattern: /^Ran (\d+) tests? in [\d.]+s$/, executed: first },
  { runner: 'go test', pattern: /^\?\s+\S+\s+\[no test files\]$/, executed: none },
  { runner: 'go test', pattern: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*\[no tests to run\]$/, executed: none },
  { runner: 'go test', pattern: /^testing: warning: no tests to run$/, executed: none },
  {
    runner: 'go test',
    pattern: /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests to run\]).*$/,
    executed: () => 1,
  },
  { runner: 'cargo test', pattern: /^test result: \w+\. \d+ passed; \d+ failed;/, executed: ranOnes },
  { runner: 'cargo nextest', pattern: /^\s*Summary \[.*\]\s+(\d+) tests? run:/, executed: first },
  { runner: 'rspec', pattern: /^(\d+) examples?, \d+ failures?\b/, executed: first },
  { runner: 'phpunit', pattern: /^No tests executed!$/, executed: none },
  { runner: 'phpunit', pattern: /^OK \((\d+) tests?, \d+ assertions?\)$/, executed: first },
  { runner: 'maven', pattern: /^(?:\[\w+\] )?Tests run: (\d+), Failures: \d+, Errors: \d+/, executed: first },
  { runner: 'ctest', pattern: /^No tests were found!!!$/, executed: none },
  { runner: 'ctest', pattern: /^\d+% tests passed, \d+ tests failed out of (\d+)$/, executed: first },
  { runner: 'deno test', pattern: /^(?:ok|FAILED) \| \d+ passed\b.*\| \d+ failed\b/, executed: ranOnes },
  { runner: 'bun test', pattern: /^\s*(\d+) (?:pass|fail)$/, executed: first },
];

const lineMax = 4096;

export function countTests(): TestCount {
  let rest = '';
  let hasSome = false;
  let silent: string | null = null;
  const judge = (raw: string): void => {
    const line = stripAnsi(raw).trimEnd();
    for (const rule of rules) {
      const match = rule.pattern.exec(line);
      if (match === null) continue;
      if (rule.executed(line, match) > 0) hasSome = true;
      else silent ??= rule.runner;
    }
  };
  return {
    add(text) {
      if (hasSome) return;
      const lines = (rest + text).split(/\r?\n/);
      // Only the beginning of a line can match, so an endless one costs no memory.
      rest = (lines.pop() ?? '').slice(0, lineMax);
      for (const line of lines) judge(line.slice(0, lineMax));
    },
    finding() {
      judge(rest);
      if (hasSome) return { kind: 'some' };
      return silent === null ? { kind: 'unrecognised' } : { kind: 'none', runner: silent };
    },
  };
}

/** Without colours, cursor moves and titles. */
export function stripAnsi(text: string): string {
  return text.replace(ansi, '');
}

// oxlint-disable-next-line no-control-regex -- control characters are what it removes
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

function countOf(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}
