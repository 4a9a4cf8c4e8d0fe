// Turns the end of a command into a verdict. Pure; each kind of ending has its own rule.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import { durationWords } from '#base/duration-words.ts';
import type { TestCount } from '#analysis/output/zero-tests.ts';

export interface CommandRun {
  readonly ending: ProcessEnding;
  /** False when a pipe could have hidden a failure. */
  readonly isExitReliable: boolean;
  readonly tests: ReturnType<TestCount['finding']>;
  readonly timeoutMs: number;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Exit codes by which test runners report that they found no test. */
const withoutTests = factsOf('tests').map((each) => each.exitWithoutTests ?? {});

export function judge({ ending, isExitReliable, tests, timeoutMs }: CommandRun): Judgement {
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 ? judgeSuccess(isExitReliable, tests) : judgeFailure(ending.code, tests);
    case 'signalled':
      return { verdict: 'fail', reason: describeProcessEnding(ending) };
    case 'timed-out':
      return { verdict: 'fail', reason: `timed out after ${durationWords(timeoutMs)}` };
    case 'cancelled':
    case 'not-started':
      return { verdict: 'unknown', reason: describeProcessEnding(ending) };
  }
}

function judgeSuccess(isExitReliable: boolean, tests: CommandRun['tests']): Judgement {
  if (tests.kind === 'none')
    return { verdict: 'unknown', reason: `exit 0, but ${tests.runner} executed no test` };
  if (!isExitReliable)
    return { verdict: 'unknown', reason: 'exit 0 behind a pipe, which hides failures without bash' };
  return { verdict: 'pass', reason: 'exit 0' };
}

function judgeFailure(code: number, tests: CommandRun['tests']): Judgement {
  if (tests.kind !== 'none') return { verdict: 'fail', reason: `exit ${code}` };
  const isEmpty = withoutTests.some((codes) => codes[tests.runner] === code);
  const verdict = isEmpty ? 'unknown' : 'fail';
  return { verdict, reason: `exit ${code}: ${tests.runner} executed no test` };
}
