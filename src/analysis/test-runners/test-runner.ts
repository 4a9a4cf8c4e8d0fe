// A test runner as a value: which files are its tests, how to make them fail on purpose, and how it reports failures. Pure.

export interface SourceText {
  /** Relative to the checkout, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What is known about the check that runs a file. */
export interface RunnerContext {
  readonly command: string;
  /** Texts of npm scripts and the like that the command leads to. */
  readonly scripts: readonly string[];
  /** What the check printed on the base, bounded. */
  readonly output: string;
  /** Names of packages that the manifests ask for. */
  readonly dependencies: readonly string[];
  /** Settings and build files that may name tests, such as a `Makefile`. */
  readonly settings: readonly SourceText[];
  /** Files that the base has and the work changed. */
  readonly changed?: readonly string[];
  /** Of these, the sources that the check may run, as they are now. */
  readonly changedTexts?: readonly SourceText[];
}

/** One failing test in a planted file. */
export interface PlantedFailure {
  /** Occurs in the output only if the planted assertion ran: it stands nowhere in one piece in the source. */
  readonly id: string;
  /** Part of the name by which the runner reports the test; equal to `id` where names are values, not identifiers. */
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
      /** The file without the assertions that are negated; what they compare is still evaluated. */
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
  /** Tests that passed, without those that are only a file's name; null where the output does not say. */
  readonly passed: number | null;
}

export interface TestRunner {
  readonly name: string;
  /** Contract: judges by path and content; `context` only decides for words that several runners share. */
  isTestFile(file: SourceText, context: RunnerContext): boolean;
  /**
   * Adds one failing test per assertion word that the file uses, in the file's own style.
   * Contract: `id` matches `/^[a-z][a-z0-9]{7,}$/` and is another one for each file; the file without the addition is unchanged.
   */
  plant(file: SourceText, context: RunnerContext, id: string): Planted;
  /** Contract: linear in the output; lines of other programs in between are ignored. */
  readReport(output: string): TestReport;
  /**
   * Negates the known one-line assertions that stand directly in a test's body.
   * Contract: `tests` are names as `readReport` gives them; null means all tests of the file.
   */
  negate(file: SourceText, context: RunnerContext, tests: readonly string[] | null): Negated;
  /**
   * Negates the known one-line assertions in loops and callbacks, in tests without an assertion directly in their body.
   * Contract: as for `negate`; assertions in branches, handlers of errors and named functions are left alone.
   */
  negateNested?(file: SourceText, context: RunnerContext, tests: readonly string[] | null): NestedNegation;
  /**
   * Changes what tests expect that assert with nothing but a function of a changed file: `expectSum(add(3, 4), 7)`.
   * Contract: as for `negate`; tests of any other shape are left alone.
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
