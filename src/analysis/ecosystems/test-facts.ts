// Types for the names, texts, commands and reports of an ecosystem's tests. Types only.
import type { RunnerLine } from '#analysis/output/runner-line.ts';
import type { Words } from './ecosystem.ts';

export interface TestFacts {
  /** Lines in which a runner reports the number of executed tests. */
  readonly lines?: readonly RunnerLine[];
  /** Commands that run tests of a compiled language. */
  readonly commands?: readonly RegExp[];
  /** Those that run every test file that a reader next to them reads. */
  readonly wholeCommands?: readonly RegExp[];
  /** Tools that read test files without running them. */
  readonly readers?: readonly RegExp[];
  /** Commands that show the output of a runner only when it failed. */
  readonly hidesSuccess?: readonly RegExp[];
  /** Names of its test files. */
  readonly files?: readonly RegExp[];
  /** Names of test classes that product code has as well; there it is in a separate folder. */
  readonly classes?: readonly RegExp[];
  /** Texts that identify test files whose name does not. */
  readonly texts?: readonly TestTexts[];
  /** Test files and helpers that load no library, by name and text. */
  readonly plainTexts?: readonly (readonly [file: RegExp, text: RegExp])[];
  /** Tests inside product files, by name; null if they cannot be separated from the product. */
  readonly ownTests?: readonly (readonly [
    files: RegExp,
    separate: (text: string) => ReadonlyMap<string, string> | null,
  ])[];
  /** Tests in modules of product files, which can be moved to another version of the file. */
  readonly modules?: TestModules;
  /** Lines of a stack trace. */
  readonly frames?: readonly RegExp[];
  /** Words of tests, by what their count says about a change. */
  readonly words?: { readonly [Kind in WordKind]?: RegExp };
  readonly selecting?: Selecting;
  /** By runner, the exit code for "no test found". */
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
  /** Other files may use it, so it is not a test. */
  readonly offers?: (text: string) => boolean;
}

export type WordKind = 'skipping' | 'focusing' | 'test' | 'assertion' | 'empty' | 'ending' | 'unruled';

/** How a command selects tests by name: a planted test may simply not be selected. */
export interface Selecting {
  /** Programs with short options for it. */
  readonly programs?: readonly string[];
  /** Modules that `-m` starts; there it selects nothing. */
  readonly started?: Words;
  readonly others?: readonly RegExp[];
  readonly selects?: (text: string) => boolean;
  /** The runner's word for deselected tests, after their number. */
  readonly leftOut?: string;
}

export interface TestModules {
  readonly files: RegExp;
  /** Null if tests cannot be separated from the product. */
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
  /** The name that other files load it by. */
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
