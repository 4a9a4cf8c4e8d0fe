// Everything that is known of one ecosystem: one value, in a file of its own, which the rules fold over. Types only.
import type { Locked } from '#analysis/ecosystems/manifests/lock-sections.ts';
import type { Root, Ways } from '#analysis/ecosystems/gates/ways.ts';
import type { FoundSetup } from '#analysis/ecosystems/setup/found-setup.ts';
import type { RedCheck } from '#analysis/why-red/red-check.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import type { PinFacts } from './pin-facts.ts';
import type { TestFacts } from './test-facts.ts';

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
  /** Files that declare packages, or names by which its sources import each other. */
  readonly declaring?: readonly RegExp[];
  /** Why a check is red for want of a package, by what its tools print. */
  readonly missing?: (check: RedCheck) => RedCause | null;
  /** Words of its tools about a set-up in trouble; a test may print them as well. */
  readonly troubles?: readonly RegExp[];
  /** Files in which a project asks for programs: what they name may come with its packages. */
  readonly asking?: Words;
  /** Folders of a checkout into which its tools install programs; `installed` finds them in the path of a program. */
  readonly programFolders?: Words;
  readonly installed?: readonly RegExp[];
  /** Manifests that cannot be installed without their lock file. */
  readonly lockedManifests?: Words;
  /** Manifests that only say what can be loaded. */
  readonly loading?: readonly RegExp[];
  readonly offers?: Offers;
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
  /** What it makes beside the manifest; undefined where it may install elsewhere. */
  readonly makes?: Words;
}

/** What a package offers to others is its product. */
export interface Offers {
  /** Manifests in the root that say so, and others that name files of the product. */
  readonly manifests: Words;
  readonly shipping?: Words;
  readonly isOffered: (path: string, manifest: string) => boolean;
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
  /** Commands that see one folder alone where no target is named. */
  readonly narrow?: readonly RegExp[];
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
  /** Other variables that agents and checks need to find its tools. */
  readonly passedVariables?: Words;
  /** Variables that name certificates. */
  readonly certificateVariables?: Words;
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
  /** First arguments of these that only they have. */
  readonly subcommands?: Words;
  /** Inside quotes, these begin a command line as well. */
  readonly quoted?: Words;
  /** What checks are mostly started by: a name near to one of these may be a typing error. */
  readonly common?: Words;
  /** No typing error of those. */
  readonly rare?: Words;
  /** They end with the exit code of what they call. */
  readonly relays?: Words;
  /** Package managers that start programs of packages. */
  readonly starters?: Words;
  /** Programs that read sources and run nothing: a check of these has no tests. */
  readonly linters?: Words;
  /** The same, beside tests as often as not. */
  readonly formatters?: Words;
  /** Words by which a command runs tests. */
  readonly testers?: Words;
  /** Endings of files that only it has. */
  readonly endings?: Words;
  /** Files that by custom lie in the root, so that a person calls them by their name alone. */
  readonly rootFiles?: readonly (string | RegExp)[];
  /** Names of products that look like names of the code. */
  readonly products?: Words;
  /** Sources and manifest of a language without classes: who says class there means a struct. */
  readonly classless?: { readonly sources: RegExp; readonly manifest: string };
}
