// Types and readers for the result lines of test runners. Pure.

export interface LineCounts {
  /** Executed tests; a line may correct a count that another one made too high. */
  readonly executed?: number;
  readonly skipped?: number;
  /** Signs of something that ran but is not a test: an error while collecting, a package. */
  readonly extra?: number;
  /** The line does not show whether tests were executed at all. */
  readonly isNoSign?: boolean;
}

export interface RunnerLine {
  readonly runner: string;
  readonly pattern: RegExp;
  counts(line: string, match: RegExpExecArray): LineCounts;
}

export const none = (): LineCounts => ({});

export const first = (_: string, match: RegExpExecArray): LineCounts => ({ executed: Number(match[1]) });

export const skippedFirst = (_: string, match: RegExpExecArray): LineCounts => ({
  skipped: Number(match[1]),
  isNoSign: true,
});

export const summed = (line: string): LineCounts => ({
  executed: countOf(line, /(\d+) (?:passed|failed|failures?|xfailed|xpassed)\b/g),
  skipped: countOf(line, /(\d+) (?:skipped|ignored|pending)\b/g),
  // One broken file may be many tests, and a broken clean-up is none.
  extra: countOf(line, /(\d+) errors?\b/g),
});

export const one = (): LineCounts => ({ executed: 1 });

/** The failed part is not a test, though the runner counts it as one. */
export const phantom = (): LineCounts => ({ executed: -1, isNoSign: true });

function countOf(line: string, pattern: RegExp): number {
  return [...line.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}
