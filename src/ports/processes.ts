// The one way to run a program: bounded memory, limits, endings as a union, and the whole tree dies.
import type { ProcessEnding } from '#kernel/model/ending.ts';

export interface ProcessSpec {
  /** A string goes through `sh -c` (`cmd` on Windows); a list is started as it is. */
  readonly command: string | readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the program; nothing is added but the mark. */
  readonly env: { readonly [name: string]: string };
  /** `<runId>/<stepId>`: put into the environment as UNTILDONE_MARK, with a part of its own, so that every descendant can be found. */
  readonly mark: string;
  readonly wallMs: number;
  /** Silence that ends it; null for no such limit. */
  readonly idleMs: number | null;
  /** Between asking the tree to end and killing it. */
  readonly graceMs: number;
  /** Written to standard input, which is then closed; undefined keeps it open for `write`, null closes it at once. */
  readonly input?: string | null;
  /** Somebody outside talks to its server, or it is the one who talks: a sandbox leaves it the machine's network. */
  readonly isServed?: boolean;
  /** While this says true, silence is not counted: a tool call is open. */
  isBusy?(): boolean;
  /**
   * Contract: called with output as it comes, in order per stream; a returned promise holds the program back
   * (back-pressure), so memory stays bounded however much it prints.
   */
  onOutput(chunk: Buffer, stream: 'stdout' | 'stderr'): void | Promise<void>;
}

export interface RunningProcess {
  /** Null when it could not be started; then `ended` says why. */
  readonly pid: number | null;
  /**
   * Settles when the program itself has ended and what it had printed by then was delivered; what it left behind may
   * still be alive. Never rejects.
   */
  readonly exited: Promise<ProcessEnding>;
  /** Settles when the program ended, its output was delivered, and nothing of its tree is alive. Never rejects. */
  readonly ended: Promise<ProcessEnding>;
  write(text: string): void;
  closeInput(): void;
  /** Asks the tree to end, then kills it. The first cause recorded is the ending. */
  kill(reason: string): void;
}

export interface Processes {
  start(spec: ProcessSpec): RunningProcess;
  /**
   * Kills everything that carries a mark under `prefix`, also what left its session and process group. Marks are
   * paths: `run` and `run/1` cover `run/1/x`, but `run/1` never covers `run/10`.
   * Contract: returns the pids that it killed; nothing marked is alive when it resolves.
   */
  sweep(prefix: string): Promise<number[]>;
  /** Whether the programs find themselves to be root; a sandbox may make them another user. */
  readonly isRoot: boolean;
  /** How hard the promise "nothing is left alive" is on this machine. */
  readonly confinement: Confinement;
}

export interface Confinement {
  readonly kind: 'pid-namespace' | 'marker' | 'process-group';
  /** For `doctor`: what this machine guarantees, in one sentence. */
  readonly promise: string;
}
