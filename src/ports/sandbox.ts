// Where agents and checks run: what a program can read, write and reach is decided here, not by the program.

/** What a program may touch. Plain data: it crosses the pipe to a session host. All paths are absolute. */
export interface SandboxRules {
  /** Checkouts lie below these. A program may write the one that it is started in, and sees no other. */
  readonly workspaces: readonly string[];
  /** The repository's own git folder: shown as a copy, in which a program may commit as it likes. Null where there is none. */
  readonly commonDir: string | null;
  /** Empty for a program, but for what it writes there, which is gone when it ends. */
  readonly home: string | null;
  /** Not there for a program. */
  readonly hidden: readonly string[];
  /** To be seen although something above is hidden. */
  readonly readable: readonly string[];
  /** To be written beside the workspace: the login folder of a client, caches that the user names. */
  readonly writable: readonly string[];
  /** Files that a program gets as a copy: it may change them, and nobody sees it. */
  readonly copied: readonly string[];
  /** Found empty at `path` at first, and kept at `from`: what others left in that place is not seen, and nothing is put there. */
  readonly own: readonly { readonly path: string; readonly from: string }[];
  /** `host`, `host:port`, `*.domain`. Null leaves the network as it is. */
  readonly hosts: readonly string[] | null;
}

export interface SandboxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** Its server must be reached from outside, or it is the browser that reaches it: the machine's own network. */
  readonly isServed: boolean;
}

export interface WrappedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** The wrapper is a pid namespace: ending it ends all inside. */
  readonly isNamespace: boolean;
  /** Takes away what was made for it. Contract: called once, when nothing of the program is alive; never rejects. */
  release(): Promise<void>;
}

export type SandboxKind = 'bubblewrap' | 'srt' | 'none';

/** All that a sandbox is made from. */
export interface SandboxOrder {
  readonly kind: SandboxKind;
  readonly rules: SandboxRules;
}

export interface Sandbox {
  readonly kind: SandboxKind;
  /** The user and group that own our files for a program inside; absent where these are the same as outside. */
  readonly fileOwner?: number;
  /**
   * Contract, for every kind but `none`: the program and all that it starts
   * - change nothing outside of their workspace and the writable paths, by no link and no mount;
   * - read nothing that is hidden, nor other processes, their memory or their environment;
   * - reach nothing but the hosts, and what they serve to themselves;
   * - are gone when the wrapper is;
   * - find git working in their workspace, and move no ref, hook or setting of the repository.
   */
  wrap(program: SandboxedProgram): WrappedProgram;
  /** Contract: safe to call more than once; nothing is wrapped afterwards. */
  close(): void;
}
