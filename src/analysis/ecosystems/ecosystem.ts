// Everything that is known of one ecosystem: one value, in a file of its own, which the rules fold over. Types only.
import type { Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';
import type { RunnerLine } from '#analysis/output/runner-line.ts';
import type { TestRunner } from '#analysis/test-runners/test-runner.ts';
import type { Root, Ways } from '#analysis/ecosystems/gates/ways.ts';
import type { FoundSetup } from '#analysis/ecosystems/setup/found-setup.ts';

export interface Ecosystem extends Groups {
  readonly name: string;
}

/** Each group of facts is there, or the value says why it is not. */
export type Groups = { readonly [Group in keyof Facts]: Facts[Group] | NotKnown };

export interface NotKnown {
  readonly why: string;
}

export interface Facts {
  readonly setup: SetupFacts;
  readonly pins: PinFacts;
  readonly tests: TestFacts;
  readonly gates: GateFacts;
  readonly machine: MachineFacts;
  readonly programs: ProgramFacts;
}

/** Names, separated by spaces. */
export type Words = string;

/** How its packages are installed. */
export interface SetupFacts {
  /** The more particular tool first, where a folder may have several. */
  readonly locks?: readonly Lock[];
  /** The first one that declares a dependency decides. */
  readonly manifests?: readonly ManifestKind[];
  /** Other files that decide what a command installs: names, and patterns of paths. */
  readonly inputs?: readonly (string | RegExp)[];
  /** Folders that its tools fill in a checkout. */
  readonly madeFolders?: Words;
  /** Manifests in a format that is not read: the user is asked instead of hearing that there are no dependencies. */
  readonly unread?: readonly RegExp[];
  readonly tools?: { readonly [tool: string]: SetupTool };
}

export interface Lock {
  readonly file: string;
  /** `install`: a command installs from it. `build`: the same, when it builds. `fetch`: the build tool does so by itself. */
  readonly use:
    | { readonly kind: 'install' | 'build'; readonly command: string; readonly isReadLater?: true }
    | { readonly kind: 'fetch' };
  /** Its packages; null for a text that is no lock file of its kind. Undefined where no reader is written for the format. */
  readonly read?: (text: string) => readonly Locked[] | null;
}

export interface SetupTool {
  /** Settings and continuous integration keep some tools from writing a lock file; the run needs it. */
  readonly env?: { readonly [name: string]: string };
  /** It brings a lock file of an older manifest up to date; the others refuse such a file. */
  readonly updatesLock?: true;
}

export interface Manifest {
  readonly path: string;
  readonly text: string;
  /** Whether a file is beside it, by name. */
  readonly has: (name: string) => boolean;
  /** Whether a file is beside it or in the root. */
  readonly hasHereOrInRoot: (name: string) => boolean;
  /** Whether the folder below it is committed, with something in it. */
  readonly hasFolder: (name: string) => boolean;
}

export interface ManifestKind {
  /** A name in the folder, or a pattern of such paths. */
  readonly file: string | RegExp;
  /** Null where it declares no dependency. */
  readonly judge: (manifest: Manifest) => FoundSetup | null;
}

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
  /** Dependencies and settings with the ending of a data file. */
  readonly notData?: readonly RegExp[];
}

/** In the order in which the tool prefers the files. */
export type FilesOfTool = readonly [command: RegExp, files: readonly string[]];

/** Contract: a text that cannot be read has one section, itself; so a broken manifest is never an unchanged one. */
export type SectionReader = (text: string, name: string) => Sections;

/** How its tests are started, counted and calibrated. */
export interface TestFacts {
  /** Runners that can be calibrated: what to plant in their files, and how their reports read. The first that knows a file is its runner. */
  readonly runners?: readonly TestRunner[];
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
}

/** Which commands test, check, build and start it, by the files in the root. */
export interface GateFacts {
  /** Files in the root whose text `ways` needs. */
  readonly reads: readonly RegExp[];
  readonly ways: (root: Root) => Ways;
  /** Its targets speak for the whole repository, whatever the languages in it. */
  readonly isWhole?: true;
  /** Of the build tools of one platform only the first that is used counts. */
  readonly platform?: 'jvm';
  /** Programs that check types by compiling: there the compiler is the build. */
  readonly compilers?: readonly string[];
  /** Commands that need a file, and which. */
  readonly needs?: readonly (readonly [command: RegExp, file: RegExp])[];
}

/** What its tools keep on the machine, outside of any repository. Paths are below the home folder. */
export interface MachineFacts {
  /** Settings that steer its tools. Never caches, and nothing that clients of agents write by themselves. */
  readonly steering?: readonly Steering[];
  /** Names that its tools look for in the folder where they are started, and then in each one above. */
  readonly upwards?: Words;
  readonly registries?: RegistryFacts;
  /** Settings that a sandbox shows, unless they hold a credential. */
  readonly shownSettings?: Words;
  /** Variables that name a folder of its tools; their downloads go elsewhere, so that reading is enough. */
  readonly folderVariables?: Words;
  /** Large things that its tools download once and only read afterwards. */
  readonly downloads?: Words;
  /** Folders of which a program inside opens its own folder alone: the others are caches, settings or keys. */
  readonly narrowFolders?: Words;
  /** Folders of `.local/share` that programs of `.local/bin` need. */
  readonly sharedFolders?: Words;
}

/** Names in one folder; either may hold a `*`. */
export interface Steering {
  /**
   * `home`: below the home folder. `config`: below the folder of settings. `above`: below each folder above a checkout.
   * `program`: below the folder `x` of a program in `x/bin`.
   */
  readonly below: 'home' | 'config' | 'above' | 'program';
  readonly folder: string;
  readonly names: Words;
  /** The variable that names the folder itself, where it is set. */
  readonly variable?: string;
}

/** Which package registries its package manager is set to. */
export interface RegistryFacts {
  /** Programs that say it; what they print is searched for addresses. */
  readonly questions?: readonly (readonly [program: string, ...args: string[]])[];
  /** Files that say it. `variable`: names the first folder of the path. */
  readonly files?: readonly { readonly path: string; readonly variable?: string }[];
  readonly variables?: readonly RegExp[];
  /** Where the programs that are asked keep what they are set to: in the home, and on the machine. */
  readonly settings?: Words;
  readonly machineSettings?: Words;
  /** Variables on which their answers depend. */
  readonly telling?: readonly RegExp[];
}

/** Names of its programs. */
export interface ProgramFacts {
  /** Programs that checks are made of: a file of that name in a folder on the PATH is started instead. */
  readonly checking?: Words;
  /** Interpreters, packagers, runners and shells that checks start without naming them. */
  readonly started?: Words;
  /** With arguments, they begin a command line that is written without quotes. */
  readonly spoken?: Words;
  /** Inside quotes, these begin a command line as well. */
  readonly quoted?: Words;
  /** What checks are mostly started by: a name near to one of these may be a typing error. */
  readonly common?: Words;
  /** No typing error of those. */
  readonly rare?: Words;
  /** Endings of files that only it has. */
  readonly endings?: Words;
}
