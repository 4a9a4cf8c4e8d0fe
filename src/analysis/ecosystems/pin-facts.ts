// Types for the files of an ecosystem that decide a check, and for tampering with them. Types only.
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import type { SectionRule } from '#analysis/tampering/section-rules.ts';
import type { TreeReader, Trees } from '#analysis/tampering/pins/tree-reader.ts';
import type { BrokenPin } from '#kernel/model/criterion.ts';

/** Which of its files decide a check. Patterns match whole paths, unless noted otherwise. */
export interface PinFacts {
  /** Settings of a tool by file name, one pattern per tool: a second file of a kind replaces the base's. */
  readonly settings?: readonly RegExp[];
  /** Settings of test runners, and files that run before every test without being named. */
  readonly runnerSettings?: readonly RegExp[];
  /** Other files that decide how the work is checked. */
  readonly deciding?: readonly RegExp[];
  /** A runner or an interpreter reads it without being named, for every test at or below its folder. */
  readonly readByRunners?: readonly RegExp[];
  /** The whole build reads it without being named. */
  readonly readByBuilds?: readonly RegExp[];
  /** File names that its test runners find by themselves. */
  readonly runnerFiles?: readonly string[];
  /** Programs that its packagers run by themselves. */
  readonly packagerFiles?: readonly string[];
  /** By runner, build settings that it reads as well: they decide how it loads tests and work. */
  readonly readByRunner?: { readonly [runner: string]: readonly string[] };
  /** By the command of a task runner, its files in the start folder; only these define its tasks. */
  readonly recipes?: readonly FilesOfTool[];
  /** By the command of a tool, files that it reads by itself in the start folder. */
  readonly ownSettings?: readonly FilesOfTool[];
  /** By file name, the parts of a file that decide; the rest of it is free. */
  readonly sections?: readonly (readonly [RegExp, SectionReader])[];
  /** Changes of its sections that are honest after all. */
  readonly sectionRules?: readonly (readonly [RegExp, SectionRule])[];
  /** Dependencies and settings with the ending of a data file. */
  readonly notData?: readonly RegExp[];
  /** Never pinned whole if a command names them: honest work adds dependencies. */
  readonly neverWhole?: readonly RegExp[];
  /** By file name, the parts of a manifest that count as test material. */
  readonly materialParts?: { readonly [file: string]: RegExp };
  /** Other files that count as test material. */
  readonly material?: readonly RegExp[];
  /** Manifests whose scripts a check may start. */
  readonly scriptManifests?: readonly RegExp[];
  /** Signs that product code knows its tests; noted for reviewers. */
  readonly suspicious?: readonly Suspicion[];
  /** Places of test libraries in the language's search path; the base must not have had the group. */
  readonly testLibraries?: readonly RegExp[];
  /** By file name, the names that a manifest gives itself and thereby takes from others. */
  readonly takes?: { readonly [file: string]: TakenNames };
  /** Changes in vendored packages that still claim the same version. */
  readonly vendored?: (read: TreeReader, trees: Trees) => Promise<readonly BrokenPin[]>;
  /** Modules in project folders that load before those of the language and its tools. */
  readonly modules?: ModuleFacts;
  /** Resources, which every test of their module reads. */
  readonly resources?: RegExp;
  /** Why a file of the work harms the tests in a way that calibration does not find. */
  readonly harms?: Harms;
  /** Why a new file steers tests other than its own; null for most. */
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
  /** The hash of the pins that keep the names free, and the reason. */
  readonly mark: string;
  readonly why: string;
  /** Folders from which a command loads modules. */
  readonly foldersIn: (command: string) => readonly string[];
  /** The folder that a runner loads from for a test; '' for the root. */
  readonly rootOf: (test: string, has: (path: string) => boolean) => string;
  /** The module name of a file, relative to its root folder; null for a part of a package. */
  readonly nameOf: (path: string) => string | null;
  /** Whether the language or a check tool has a module of this name. */
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

/** In the tool's order of preference. */
export type FilesOfTool = readonly [command: RegExp, files: readonly string[]];

/** Contract: an unreadable text has one section, itself, so that it never equals an intact manifest. */
export type SectionReader = (text: string, name: string) => Sections;
