// Counts the tests that known runners executed, from their output line by line. Pure.
import type { TestTally } from '#kernel/model/criterion.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { stripAnsi } from '#analysis/test-runners/reports.ts';

export interface TestCount {
  /** Accepts text in pieces of any size. */
  add(text: string): void;
  /** `none`: a known runner reported that it executed nothing, and none reported otherwise. */
  finding():
    | { readonly kind: 'some'; readonly tests: TestTally }
    | { readonly kind: 'none'; readonly runner: string }
    | { readonly kind: 'unrecognised' };
}

// Whole lines only: the same words in prose must not turn a good run into an unknown one.
const rules = factsOf('tests').flatMap((each) => each.lines ?? []);

const lineMax = 4096;

// Most lines of a long output are of no interest, and there are many rules.
const telling =
  /pass|fail|test|\bran\b|\bok\b|\brun\b|skip|pending|example|collected|asynchronous|hook|[✔✖]/i;

export function countTests(): TestCount {
  let rest = '';
  let hasSome = false;
  let silent: string | null = null;
  let tests: TestTally = { executed: 0, skipped: 0 };
  const judge = (raw: string): void => {
    const line = stripAnsi(raw).trimEnd();
    if (!telling.test(line)) return;
    for (const rule of rules) {
      const match = rule.pattern.exec(line);
      if (match === null) continue;
      const { executed = 0, skipped = 0, isNoSign = false, extra = 0 } = rule.counts(line, match);
      tests = { executed: tests.executed + executed, skipped: tests.skipped + skipped };
      if (executed + extra > 0) hasSome = true;
      else if (!isNoSign) silent ??= rule.runner;
    }
  };
  return {
    add(text) {
      const lines = (rest + text).split(/\r?\n/);
      // Only the beginning of a line can match, so an endless line costs no memory.
      rest = (lines.pop() ?? '').slice(0, lineMax);
      for (const line of lines) judge(line.slice(0, lineMax));
    },
    finding() {
      judge(rest);
      rest = '';
      if (hasSome) return { kind: 'some', tests: floor(tests) };
      return silent === null ? { kind: 'unrecognised' } : { kind: 'none', runner: silent };
    },
  };
}

function floor({ executed, skipped }: TestTally): TestTally {
  return { executed: Math.max(0, executed), skipped: Math.max(0, skipped) };
}
