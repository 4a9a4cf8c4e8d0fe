// Facts about a client, known without starting it: `<client>/facts.ts`, listed in `agents/clients.ts`.
import type { ModelPrice } from '#kernel/model/config.ts';
import type { OutputReader, ReaderContext } from './output-reader.ts';
import type { TokenCount } from './pricing.ts';
import type { Environment } from './state-folder.ts';
import type { Fields } from './json.ts';

/** Contract: loads only Node and `shared`; its driver and its reader are imported on use. */
export interface ClientFacts {
  readonly title: string;
  /** The agent that `--agent NAME` means. */
  readonly agent: { readonly driver: string; readonly [option: string]: unknown };
  readonly install: string;
  readonly howToLogIn: string;
  readonly can: Abilities;
  /** Variables that hold a key; the first one that is set is used. */
  readonly keys: readonly string[];
  /** The key that a person without any is asked to set. */
  readonly usualKey: string;
  /** Keys that the client prefers to its login. */
  readonly strongKeys: readonly string[];
  /** Variables that are a login by themselves. */
  readonly tokens: readonly string[];
  /** Its login folder and endpoint. Never from a repository's `.env`: that could send a login anywhere. */
  readonly settings: readonly string[];
  /** The one of `settings` that names another provider's address; '' if none does. */
  readonly address: string;
  /** Prefixes of variables that can pay for its provider. */
  readonly prefixes: readonly string[];
  /** Variables that distinguish two accounts. */
  readonly accountVariables: readonly string[];
  /** A cloud that takes precedence over all else, with the variables it needs; null when there is none. */
  cloud(env: Environment): { readonly name: string; readonly variables: readonly string[] } | null;
  findLogin(env: Environment, read: ReadText): Promise<Login | null>;
  /** Null for a client that is never refused as logged out. */
  readonly otherWays: OtherWays | null;
  readonly needs: (env: Environment, home: string) => ClientNeeds;
  /** Files in which a person can configure a model of another maker. */
  readonly settingsFiles: (env: Environment, home: string) => readonly string[];
  /** USD per million tokens. */
  readonly prices: { readonly [model: string]: ModelPrice };
  /** The reader of its output under `command`. */
  readOutput(): Promise<(context: ReaderContext) => OutputReader>;
  /** Variables for a read-only session over ACP. */
  readonly readOnlyEnv: { readonly [name: string]: string };
  /** Null if its ACP replies report usage in the protocol's own field. */
  readonly acpUsage: AcpUsage | null;
  /** The command that prints its models, and the pattern of a model name in it; null if it has none. */
  readonly listModels: { readonly command: readonly [string, ...string[]]; readonly word: RegExp } | null;
  /** A replacement that can do its work when its program is not on PATH. */
  readonly elsewhere: { readonly what: string; isHere(env: Environment): Promise<boolean> } | null;
}

export type ReadText = (path: string) => Promise<string | null>;

export interface Login {
  /** A subscription has a monthly price; an account is billed by use. */
  readonly kind: 'subscription' | 'account';
  readonly name: string;
  /** The variable that is the login, if it is not a file. */
  readonly variable?: string;
}

/** The abilities that this program uses. */
export interface Abilities {
  /** Whether it continues an interrupted session. `tries`: if it does not find it, a new one begins. */
  readonly resume: 'yes' | 'tries' | 'no';
  /** When a running session receives a message. */
  readonly hears: 'at once' | 'after its turn' | 'never';
  /** What it reports about its cost; `perhaps` if unknown. USD for tokens come from the price table. */
  readonly cost: 'usd' | 'tokens' | 'perhaps';
  /** Whether the operating system keeps a read-only role from writing. */
  readonly sandbox: boolean;
}

/** Settings that can configure a way to pay that we do not follow. */
export interface OtherWays {
  files(env: Environment, root: string): readonly string[];
  readonly words: RegExp;
}

/** What a client needs from the machine to work in a sandbox. */
export interface ClientNeeds {
  readonly hosts: readonly string[];
  /** Folders in which it refreshes its login. */
  readonly writable: readonly string[];
  /** Below them, session data, separate per run: it describes other repositories, and a client runs some. */
  readonly own: readonly string[];
  /** Below them, the person's client settings: an agent could act outside by them later. Made if missing. */
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

/** Contract: null for a reply without usage. */
export interface AcpUsage {
  readonly tokensIn: (reply: Fields) => TokenCount | null;
  readonly modelIn: (reply: Fields) => string | null;
}
