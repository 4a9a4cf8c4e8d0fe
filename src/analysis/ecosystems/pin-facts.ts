// Which files of an ecosystem decide a check, and how work may tamper with them. Types only.
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import type { SectionRule } from '#analysis/tampering/section-rules.ts';
import type { TreeReader, Trees } from '#analysis/tampering/pins/tree-reader.ts';
import type { BrokenPin } from '#kernel/model/criterion.ts';

/** Which of its files decide a check. Patterns are of whole paths, where nothing else is said. */
export interface PinFacts {
  /** Settings of a tool by their file names, one pattern for each tool: of a kind that the base has, one more takes its place. */
  readonly settings?: readonly RegExp[];
  /** Settings of test runners, and what runs before every test without being named. */
  readonly runnerSettings?: readonly RegExp[];
  /** Other files that decide how the work is checked. */
  readonly deciding?: readonly RegExp[];
  /** Read by a runner or an interpreter without being named, for every test at or below its folder. */
  readonly readByRunners?: readonly RegExp[];
  /** Read by the whole build without being named. */
  readonly readByBuilds?: readonly RegExp[];
  /** Names that its test runners look for on their own. */
  readonly runnerFiles?: readonly string[];
  /** Programs that its packagers run on their own. */
  readonly packagerFiles?: readonly string[];
  /** By runner, settings of a build that it reads as well: through them it loads tests and work alike. */
  readonly readByRunner?: { readonly [runner: string]: readonly string[] };
  /** By the command of a task runner, what it reads in the folder where it is started; nothing else says what its tasks do. */
  readonly recipes?: readonly FilesOfTool[];
  /** By the command of a tool, what it reads on its own where it is started, besides what it was told. */
  readonly ownSettings?: readonly FilesOfTool[];
  /** By file name, the parts of a file that decide; the rest of it is free. */
  readonly sections?: readonly (readonly [RegExp, SectionReader])[];
  /** Which changes of a section of its own are honest after all. */
  readonly sectionRules?: readonly (readonly [RegExp, SectionRule])[];
  /** Dependencies and settings with the ending of a data file. */
  readonly notData?: readonly RegExp[];
  /** Never pinned whole where a command names them: honest work adds dependencies. */
  readonly neverWhole?: readonly RegExp[];
  /** By file name, the parts of a manifest whose change is a change of test material. */
  readonly materialParts?: { readonly [file: string]: RegExp };
  /** Other files whose change is one. */
  readonly material?: readonly RegExp[];
  /** Manifests whose scripts may be what a check starts. */
  readonly scriptManifests?: readonly RegExp[];
  /** Signs in product code that it knows of its tests; noted for reviewers. */
  readonly suspicious?: readonly Suspicion[];
  /** The place of a library for tests in what the language searches; the group is what the base must not have had. */
  readonly testLibraries?: readonly RegExp[];
  /** By file name, what a manifest takes the place of by the names that it gives itself. */
  readonly takes?: { readonly [file: string]: TakenNames };
  /** Changes of packages that a repository brings along, and that are still said to be the same. */
  readonly vendored?: (read: TreeReader, trees: Trees) => Promise<readonly BrokenPin[]>;
  /** Modules that are found in the folders of a project before those of the language and its tools. */
  readonly modules?: ModuleFacts;
  /** Resources, which every test of their module reads. */
  readonly resources?: RegExp;
  /** Why a file of the work turns against the tests, where the calibration does not find it. */
  readonly harms?: Harms;
  /** Why a new file decides about tests that are not its own; null for most. */
  readonly steers?: (file: NewFile) => Promise<string | null>;
}

export type TakenNames = (read: TreeReader, trees: Trees, path: string) => Promise<readonly BrokenPin[]>;

export type Harms = (file: {
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
}) => string | null;

export interface Suspicion {
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly says: string;
}

export interface ModuleFacts {
  /** Commands that load such modules. */
  readonly users: RegExp;
  readonly sources: RegExp;
  /** The hash of the pins that keep the names free, and why. */
  readonly mark: string;
  readonly why: string;
  /** Folders from which a command makes them load. */
  readonly foldersIn: (command: string) => readonly string[];
  /** The folder that a runner loads from for a test; '' for the root. */
  readonly rootOf: (test: string, has: (path: string) => boolean) => string;
  /** The name under which a file is loaded from the folder that its path starts in; null for a part of a package. */
  readonly nameOf: (path: string) => string | null;
  /** Whether the language or a tool of checks has a module of this name. */
  readonly isTaken: (name: string) => boolean;
}

/** A file that the base does not have. */
export interface NewFile {
  readonly path: string;
  readonly isTest: (path: string) => boolean;
  readonly text: () => Promise<string>;
  readonly textAtBase: (path: string) => Promise<string>;
  /** All files by their paths. */
  readonly now: ReadonlyMap<string, unknown>;
  /** Whether the base has tests at or below the folder of a path. */
  readonly hasTestsBelow: (path: string) => boolean;
}

/** In the order in which the tool prefers the files. */
export type FilesOfTool = readonly [command: RegExp, files: readonly string[]];

/** Contract: a text that cannot be read has one section, itself; so a broken manifest is never an unchanged one. */
export type SectionReader = (text: string, name: string) => Sections;
