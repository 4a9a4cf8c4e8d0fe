// The shape of one ecosystem's facts: one value per file, which the rules fold over. Types only.
import type { Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Root, Ways } from '#analysis/ecosystems/gates/ways.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import type { RedCheck } from '#analysis/why-red/red-check.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import type { PinFacts } from './pin-facts.ts';
import type { TestFacts } from './test-facts.ts';

export interface Ecosystem extends Groups {
  readonly name: string;
}

/** Each group of facts is present, or the value says why it is not. */
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
  /** The more specific tool first, if a folder may have several. */
  readonly locks?: readonly Lock[];
  /** The first one that declares a dependency decides. */
  readonly manifests?: readonly ManifestKind[];
  /** Other files that decide what a command installs: names, and patterns of paths. */
  readonly inputs?: readonly (string | RegExp)[];
  /** Folders that its tools fill in a checkout. */
  readonly madeFolders?: Words;
  /** Manifests in an unreadable format: the user is asked, because they may declare dependencies. */
  readonly unread?: readonly RegExp[];
  readonly tools?: { readonly [tool: string]: SetupTool };
  /** Files that declare packages, or names for imports between its sources. */
  readonly declaring?: readonly RegExp[];
  /** Decides from the output whether a check is red because a package is missing. */
  readonly missing?: (check: RedCheck) => RedCause | null;
  /** Tool messages about a broken setup; a test may print them as well. */
  readonly troubles?: readonly RegExp[];
  /** Files in which a project requests programs: those may come with its packages. */
  readonly asking?: Words;
  /** Folders in a checkout for installed programs; `installed` finds them in the path of a program. */
  readonly programFolders?: Words;
  readonly installed?: readonly RegExp[];
  /** Manifests that cannot be installed without their lock file. */
  readonly lockedManifests?: Words;
  /** Manifests that only define what can be loaded. */
  readonly loading?: readonly RegExp[];
  readonly offers?: Offers;
}

export interface Lock {
  readonly file: string;
  /** `install`: a command installs from it. `build`: a build does. `fetch`: the build tool fetches itself. */
  readonly use:
    | { readonly kind: 'install' | 'build'; readonly command: string; readonly isReadLater?: true }
    | { readonly kind: 'fetch' };
  /** Its packages; null if the text is not a lock file of its kind. Undefined if the format has no reader. */
  readonly read?: (text: string) => readonly Locked[] | null;
}

export interface SetupTool {
  /** Settings and CI variables keep some tools from writing a lock file; the run needs it. */
  readonly env?: { readonly [name: string]: string };
  /** Updates a lock file that is older than the manifest; other tools refuse such a file. */
  readonly updatesLock?: true;
  /** Files that it creates next to the manifest; undefined if it may install elsewhere. */
  readonly makes?: Words;
}

/** Files that a package offers to others are its product. */
export interface Offers {
  /** Manifests in the root that declare this, and others that name files of the product. */
  readonly manifests: Words;
  readonly shipping?: Words;
  readonly isOffered: (path: string, manifest: string) => boolean;
}

export interface Manifest {
  readonly path: string;
  readonly text: string;
  /** Whether a file with this name is in the same folder. */
  readonly has: (name: string) => boolean;
  /** Whether the file is in the same folder or in the root. */
  readonly hasHereOrInRoot: (name: string) => boolean;
  /** Whether the subfolder is committed and not empty. */
  readonly hasFolder: (name: string) => boolean;
}

export interface ManifestKind {
  /** A name in the folder, or a pattern of such paths. */
  readonly file: string | RegExp;
  /** Null if it declares no dependency. */
  readonly judge: (manifest: Manifest) => DetectedSetup | null;
}

/** The commands that test, check, build and start a project, by the files in the root. */
export interface GateFacts {
  /** Files in the root whose text `ways` needs. */
  readonly reads: readonly RegExp[];
  readonly ways: (root: Root) => Ways;
  /** Its targets cover the whole repository, in any language. */
  readonly isWhole?: true;
  /** Of one platform's build tools, only the first one in use counts. */
  readonly platform?: 'jvm';
  /** Programs that check types by compiling: there the compiler is the build. */
  readonly compilers?: readonly string[];
  /** Commands that need a file, with that file. */
  readonly needs?: readonly (readonly [command: RegExp, file: RegExp])[];
  /** Commands that cover only one folder if no target is named. */
  readonly narrow?: readonly RegExp[];
}

/** Files of its tools on the machine, outside of any repository. Paths are below the home folder. */
export interface MachineFacts {
  /** Settings that steer its tools. Never caches, nor files that clients of agents write themselves. */
  readonly steering?: readonly Steering[];
  /** Names that its tools search in the start folder, and then in each parent. */
  readonly upwards?: Words;
  readonly registries?: RegistryFacts;
  /** Settings that a sandbox shows, unless they hold a credential. */
  readonly shownSettings?: Words;
  /** Variables that name a folder of its tools; downloads go elsewhere, so read access is enough. */
  readonly folderVariables?: Words;
  /** Other variables that agents and checks need to find its tools. */
  readonly passedVariables?: Words;
  /** Variables that name certificates. */
  readonly certificateVariables?: Words;
  /** Large downloads of its tools that are only read afterwards. */
  readonly downloads?: Words;
  /** Folders in which a program gets only its own subfolder: the others are caches, settings or keys. */
  readonly narrowFolders?: Words;
  /** Folders of `.local/share` that programs of `.local/bin` need. */
  readonly sharedFolders?: Words;
}

/** Names in one folder; either may hold a `*`. */
export interface Steering {
  /**
   * `home`: below the home folder. `config`: below the settings folder. `above`: below each folder above a
   * checkout. `program`: below the folder `x` of a program in `x/bin`.
   */
  readonly below: 'home' | 'config' | 'above' | 'program';
  readonly folder: string;
  readonly names: Words;
  /** The variable that names the folder itself, if set. */
  readonly variable?: string;
}

/** The package registries that its package manager is configured for. */
export interface RegistryFacts {
  /** Programs that report it; their output is searched for addresses. */
  readonly questions?: readonly (readonly [program: string, ...args: string[]])[];
  /** Files that name it. `variable`: names the first folder of the path. */
  readonly files?: readonly { readonly path: string; readonly variable?: string }[];
  readonly variables?: readonly RegExp[];
  /** Where these programs keep their settings: in the home, and on the machine. */
  readonly settings?: Words;
  readonly machineSettings?: Words;
  /** Variables on which their answers depend. */
  readonly telling?: readonly RegExp[];
}

/** Names of its programs. */
export interface ProgramFacts {
  /** Programs that checks consist of: a file of that name in a folder on the PATH is started instead. */
  readonly checking?: Words;
  /** Interpreters, packagers, runners and shells that checks start without naming them. */
  readonly started?: Words;
  /** With arguments, they start a command line that is written without quotes. */
  readonly spoken?: Words;
  /** First arguments that only these programs have. */
  readonly subcommands?: Words;
  /** Inside quotes, these start a command line as well. */
  readonly quoted?: Words;
  /** Programs that usually start checks: a similar name may be a typing error. */
  readonly common?: Words;
  /** Names that are not typing errors of those. */
  readonly rare?: Words;
  /** They exit with the code of the program they call. */
  readonly relays?: Words;
  /** Package managers that start programs of packages. */
  readonly starters?: Words;
  /** Programs that read sources and run nothing: their checks have no tests. */
  readonly linters?: Words;
  /** The same, but often combined with tests. */
  readonly formatters?: Words;
  /** Words by which a command runs tests. */
  readonly testers?: Words;
  /** File endings that only this ecosystem has. */
  readonly endings?: Words;
  /** Files that are usually in the root, so that a person calls them by name alone. */
  readonly rootFiles?: readonly (string | RegExp)[];
  /** Product names that look like identifiers. */
  readonly products?: Words;
  /** Sources and manifest of a language without classes: there "class" means a struct. */
  readonly classless?: { readonly sources: RegExp; readonly manifest: string };
}
