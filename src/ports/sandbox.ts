// The sandbox of agents and checks: it decides what a program can read, write and reach.

/** Plain data, because it crosses the pipe to a session host. All paths are absolute. */
export interface SandboxRules {
  /** Checkouts are below these folders. A program may write the one it is started in, and sees no other. */
  readonly workspaces: readonly string[];
  /** The repository's git folder. A program gets a copy, and may commit in it. Null if there is none. */
  readonly commonDir: string | null;
  /** Empty for a program. Files that it writes there are gone when it ends. */
  readonly home: string | null;
  /** Invisible to a program. */
  readonly hidden: readonly string[];
  /** Visible although a folder above is hidden. */
  readonly readable: readonly string[];
  /** Writable beside the workspace: the login folder of a client, caches that the user names. */
  readonly writable: readonly string[];
  /** Files that a program gets as a copy: its changes stay invisible outside. */
  readonly copied: readonly string[];
  /** Empty at `path` at first, stored at `from`. Files of others at `path` are hidden and stay untouched. */
  readonly own: readonly { readonly path: string; readonly from: string }[];
  /** `host`, `host:port`, `*.domain`. Null does not restrict the network. */
  readonly hosts: readonly string[] | null;
}

export interface SandboxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** Gets the machine's own network: its server is reached from outside, or it is the browser. */
  readonly isServed: boolean;
}

export interface WrappedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** Files that the wrapper reads, open as descriptors 3, 4, …; its program does not get them. */
  readonly openFiles?: readonly string[];
  /**
   * The wrapper is bubblewrap with a pid namespace: ending it ends every process inside. It tells the pid of the
   * first process inside at the descriptor after the open files. Contract: `--info-fd` is among its arguments.
   */
  readonly isNamespace: boolean;
  /** Nothing inside closes files that our own starter left open: the program must not get them. */
  readonly keepsFilesAway?: boolean;
  /** Removes what `wrap` made. Contract: called once, when the whole program is gone; never rejects. */
  release(): Promise<void>;
}

export type SandboxKind = 'bubblewrap' | 'srt' | 'none';

export interface SandboxOrder {
  readonly kind: SandboxKind;
  readonly rules: SandboxRules;
  /** The settings of git as a program sees them, by the hash of the file; git is asked for others. */
  readonly gitSettings?: { readonly [hash: string]: string };
}

export interface Sandbox {
  readonly kind: SandboxKind;
  /** The user and group id that our files have inside the sandbox; absent if the same as outside. */
  readonly fileOwner?: number;
  /**
   * Contract, for every kind but `none`: the program and its descendants
   * - change nothing outside their workspace and the writable paths, by no link and no mount;
   * - read nothing that is hidden, nor other processes, their memory or their environment;
   * - reach only the hosts, and servers that they run themselves;
   * - are gone when the wrapper is;
   * - can use git in their workspace, and move no ref, hook or setting of the repository.
   */
  wrap(program: SandboxedProgram): WrappedProgram;
  /** Contract: safe to call more than once; no program is wrapped afterwards. */
  close(): void;
}
