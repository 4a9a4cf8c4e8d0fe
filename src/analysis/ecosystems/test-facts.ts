// How the tests of an ecosystem are named, written, started and reported. Types only.
import type { RunnerLine } from '#analysis/output/runner-line.ts';
import type { Words } from './ecosystem.ts';

/** How its tests are started, counted and calibrated. */
export interface TestFacts {
  /** Lines in which a runner tells how many tests it executed. */
  readonly lines?: readonly RunnerLine[];
  /** Commands that run tests of a compiled language. */
  readonly commands?: readonly RegExp[];
  /** Of these, the ones that run every test file that a reader beside them reads. */
  readonly wholeCommands?: readonly RegExp[];
  /** Tools that read test files without running them. */
  readonly readers?: readonly RegExp[];
  /** Commands that show the output of a runner only when it failed. */
  readonly hidesSuccess?: readonly RegExp[];
  /** Names of its test files. */
  readonly files?: readonly RegExp[];
  /** Names of test classes that product code has as well; there it is in a folder of its own. */
  readonly classes?: readonly RegExp[];
  /** How test files read that no name shows. */
  readonly texts?: readonly TestTexts[];
  /** Test files, and helpers of tests, that load no library: by name and text. */
  readonly plainTexts?: readonly (readonly [file: RegExp, text: RegExp])[];
  /** Tests inside of product files, by name; null where they cannot be told from the product. */
  readonly ownTests?: readonly (readonly [
    files: RegExp,
    separate: (text: string) => ReadonlyMap<string, string> | null,
  ])[];
  /** Tests in modules of product files, which can be taken to another version of the file. */
  readonly modules?: TestModules;
  /** Lines of a stack trace. */
  readonly frames?: readonly RegExp[];
  /** Words of tests, by what their number says about a change. */
  readonly words?: { readonly [Kind in WordKind]?: RegExp };
  readonly selecting?: Selecting;
  /** By runner, the exit code that says that no test was found. */
  readonly exitWithoutTests?: { readonly [runner: string]: number };
  /** Settings and build files that may name tests. */
  readonly settings?: Words;
}

/** A test file uses a test library and defines tests. */
export interface TestTexts {
  readonly files: RegExp;
  readonly library: RegExp;
  /** Global names of a test library. */
  readonly words?: RegExp;
  readonly defines: RegExp;
  /** Other files may use it, so it is no test. */
  readonly offers?: (text: string) => boolean;
}

export type WordKind = 'skipping' | 'focusing' | 'test' | 'assertion' | 'empty' | 'ending' | 'unruled';

/** How a command selects tests by their names: a planted test may simply not be among them. */
export interface Selecting {
  /** Programs with short options for it. */
  readonly programs?: readonly string[];
  /** Modules that `-m` starts, where it selects nothing. */
  readonly started?: Words;
  readonly others?: readonly RegExp[];
  readonly selects?: (text: string) => boolean;
  /** How a runner calls the tests that it left out, after their number. */
  readonly leftOut?: string;
}

export interface TestModules {
  readonly files: RegExp;
  /** Null where tests cannot be separated from the product. */
  readonly separate: (text: string) => ProductParts | null;
  readonly join: (product: string, modules: readonly TestModule[]) => string;
  /** Files that load the others, and the modules of another file as a part of such a file. */
  readonly roots: RegExp;
  readonly rootFolder: (path: string) => string;
  readonly inRoot: (name: string, modules: readonly TestModule[]) => string;
  /** Whether the runner reports one of the tests, called `module::test`, by this name. */
  readonly isReportedAs: (reported: string, file: ModuleFile, tests: readonly string[]) => boolean;
}

export interface ModuleFile {
  readonly path: string;
  /** The name by which other files load it. */
  readonly stem: string;
}

export interface ProductParts {
  /** The file without its modules of tests. */
  readonly product: string;
  readonly modules: readonly TestModule[];
}

export interface TestModule {
  readonly name: string;
  readonly text: string;
  /** Names of its tests. */
  readonly tests: readonly string[];
}
