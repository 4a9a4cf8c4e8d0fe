// A test runner as a value: its test files, how to make them fail on purpose, and its reports. Pure.

export interface SourceText {
  /** Relative to the checkout, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The known facts about the check that runs a file. */
export interface RunnerContext {
  readonly command: string;
  /** Texts of npm scripts and the like that the command leads to. */
  readonly scripts: readonly string[];
  /** The output of the check on the base, bounded. */
  readonly output: string;
  /** Names of packages in the manifests. */
  readonly dependencies: readonly string[];
  /** Settings and build files that may name tests, such as a `Makefile`. */
  readonly settings: readonly SourceText[];
  /** Files that the base has and the work changed. */
  readonly changed?: readonly string[];
  /** The changed sources that the check may run, in their current form. */
  readonly changedTexts?: readonly SourceText[];
}

/** One failing test in a planted file. */
export interface PlantedFailure {
  /** In the output only if the planted assertion ran: the source never holds it in one piece. */
  readonly id: string;
  /** Part of the test's reported name; equal to `id` if names are values, not identifiers. */
  readonly test: string;
}

/** `reason` is part of a sentence: "no place to plant a failure in test/x.sh". */
export interface Impossible {
  readonly kind: 'none';
  readonly reason: string;
}

export type Planted =
  | { readonly kind: 'planted'; readonly text: string; readonly failures: readonly PlantedFailure[] }
  | Impossible;

export type Negated =
  | {
      readonly kind: 'negated';
      readonly text: string;
      /** Tests that must fail now, by the names that the runner reports. */
      readonly tests: readonly string[];
    }
  | Impossible;

export type NestedNegation =
  | {
      readonly kind: 'negated';
      readonly text: string;
      readonly tests: readonly string[];
      /** The file without the negated assertions; their operands are still evaluated. */
      readonly without: string;
    }
  | Impossible;

export type ChangedExpectations =
  | {
      readonly kind: 'changed';
      readonly text: string;
      readonly tests: readonly string[];
      /** Changed files whose functions judge these tests. */
      readonly judges: readonly string[];
    }
  | Impossible;

export interface FailedTest {
  readonly name: string;
  /**
   * - `assertion`: the test ran and an assertion failed.
   * - `load`: the file or the code under test could not be loaded, so no assertion decided.
   * - `unknown`: the output does not say, or it was another error.
   */
  readonly cause: 'assertion' | 'load' | 'unknown';
}

export interface TestReport {
  /** Each name once, at most `failedTestsMax`. */
  readonly failed: readonly FailedTest[];
  /** Tests that passed, without those that are only a file's name; null if the output does not say. */
  readonly passed: number | null;
}

export interface TestRunner {
  readonly name: string;
  /** Contract: judges by path and content; `context` only decides for words that several runners share. */
  isTestFile(file: SourceText, context: RunnerContext): boolean;
  /**
   * Adds one failing test per assertion word of the file, in its style; nothing else changes.
   * Contract: `id` matches `/^[a-z][a-z0-9]{7,}$/` and differs for each file.
   */
  plant(file: SourceText, context: RunnerContext, id: string): Planted;
  /** Contract: linear in the output; lines of other programs in between are ignored. */
  readReport(output: string): TestReport;
  /**
   * Negates the known one-line assertions directly in a test's body.
   * Contract: `tests` are names as `readReport` gives them; null means all tests of the file.
   */
  negate(file: SourceText, context: RunnerContext, tests: readonly string[] | null): Negated;
  /**
   * Negates the known one-line assertions in loops and callbacks, in tests without a direct assertion.
   * Contract: as for `negate`; assertions in branches, error handlers and named functions do not change.
   */
  negateNested?(file: SourceText, context: RunnerContext, tests: readonly string[] | null): NestedNegation;
  /**
   * Changes expectations of tests that assert only with a changed file's function: `expectSum(add(3, 4), 7)`.
   * Contract: as for `negate`; tests of any other shape do not change.
   */
  changeExpectations?(
    file: SourceText,
    context: RunnerContext,
    tests: readonly string[] | null,
  ): ChangedExpectations;
}

export const failedTestsMax = 10_000;

export const noPlace = (path: string): Impossible => ({
  kind: 'none',
  reason: `no place to plant a failure in ${path}`,
});

export const noAssertion = (path: string): Impossible => ({
  kind: 'none',
  reason: `no known one-line assertion to negate in ${path}`,
});

export const noJudge = (path: string): Impossible => ({
  kind: 'none',
  reason: `no test that judges with a changed helper alone in ${path}`,
});
