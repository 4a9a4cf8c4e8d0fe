// What is known of a client without starting it. Each keeps its own in `<client>/facts.ts`; `agents/clients.ts` lists them.
import type { ModelPrice } from '#kernel/model/config.ts';
import type { OutputReader, ReaderContext } from './output-reader.ts';
import type { TokenCount } from './pricing.ts';
import type { Environment } from './state-folder.ts';
import type { Fields } from './json.ts';

/** Contract: loads nothing but Node and `shared`; its driver and its reader are imported when they are used. */
export interface ClientFacts {
  readonly title: string;
  /** What `--agent NAME` stands for. */
  readonly agent: { readonly driver: string; readonly [option: string]: unknown };
  readonly install: string;
  readonly howToLogIn: string;
  readonly can: Abilities;
  /** Variables that hold a key; the first one that is set is used. */
  readonly keys: readonly string[];
  /** The one that a person without any is told to set. */
  readonly usualKey: string;
  /** Those that the client prefers to its login. */
  readonly strongKeys: readonly string[];
  /** Variables that are a login. */
  readonly tokens: readonly string[];
  /** Where it keeps its login and whom it asks. Never taken from a repository's `.env`: that could send a login anywhere. */
  readonly settings: readonly string[];
  /** Of the settings, the one that names another provider's address; '' where none does. */
  readonly address: string;
  /** Beginnings of variables by which its provider can be paid. */
  readonly prefixes: readonly string[];
  /** Variables that tell two accounts apart. */
  readonly accountVariables: readonly string[];
  /** A cloud that is used instead of everything else, with what it needs; null when there is none. */
  cloud(env: Environment): { readonly name: string; readonly variables: readonly string[] } | null;
  findLogin(env: Environment, read: ReadText): Promise<Login | null>;
  /** Null for a client that is never refused as logged out. */
  readonly otherWays: OtherWays | null;
  readonly needs: (env: Environment, home: string) => ClientNeeds;
  /** Where a person writes down that it asks another model than its maker's. */
  readonly settingsFiles: (env: Environment, home: string) => readonly string[];
  /** USD per million tokens. */
  readonly prices: { readonly [model: string]: ModelPrice };
  /** Of what it prints under `command`. */
  readOutput(): Promise<(context: ReaderContext) => OutputReader>;
  /** Variables of a read-only session over ACP. */
  readonly readOnlyEnv: { readonly [name: string]: string };
  /** Null where replies over ACP tell usage at the protocol's own place. */
  readonly acpUsage: AcpUsage | null;
  /** The command that prints its models, and how a word of it looks that is one; null where it has none. */
  readonly listModels: { readonly command: readonly [string, ...string[]]; readonly word: RegExp } | null;
  /** What can do its work where its program is not on PATH. */
  readonly elsewhere: { readonly what: string; isHere(env: Environment): Promise<boolean> } | null;
}

export type ReadText = (path: string) => Promise<string | null>;

export interface Login {
  /** A subscription has a price a month; an account is billed by use. */
  readonly kind: 'subscription' | 'account';
  readonly name: string;
  /** The variable that is the login, where it is no file. */
  readonly variable?: string;
}

/** As this program uses them. */
export interface Abilities {
  /** Whether it goes on with an interrupted session; `tries`: a new one begins where it does not find that one again. */
  readonly resume: 'yes' | 'tries' | 'no';
  /** When a running session hears what it is told. */
  readonly hears: 'at once' | 'after its turn' | 'never';
  /** What it tells of its cost, where it is known to tell any; USD for tokens come from the table of prices. */
  readonly cost: 'usd' | 'tokens' | 'perhaps';
  /** Whether the operating system keeps a read-only role from writing. */
  readonly sandbox: boolean;
}

/** Settings in which a client can be told of a way to pay that we do not follow. */
export interface OtherWays {
  files(env: Environment, root: string): readonly string[];
  readonly words: RegExp;
}

/** What a client needs of the machine to do its work in a sandbox. */
export interface ClientNeeds {
  readonly hosts: readonly string[];
  /** Folders that it refreshes its login in. */
  readonly writable: readonly string[];
  /** Below them, the work of sessions: that of others tells of their repositories, and some of it is run by their client. Each run has its own. */
  readonly own: readonly string[];
  /** Below them, what steers the client of the person: with these an agent could act outside, later. Made where they are missing. */
  readonly fixedFiles: readonly { readonly path: string; readonly empty: string; readonly mode?: number }[];
  readonly fixedFolders: readonly string[];
  readonly readable: readonly string[];
  /** Files that it rewrites at every start, and that hold more than it should change. */
  readonly copied: readonly string[];
}

export const noNeeds: ClientNeeds = {
  hosts: [],
  writable: [],
  own: [],
  fixedFiles: [],
  fixedFolders: [],
  readable: [],
  copied: [],
};

/** Contract: null for a reply that tells nothing. */
export interface AcpUsage {
  readonly tokensIn: (reply: Fields) => TokenCount | null;
  readonly modelIn: (reply: Fields) => string | null;
}
