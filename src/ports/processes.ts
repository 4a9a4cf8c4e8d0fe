// The only way to run a program: bounded memory, limits, endings as a union; no process of it survives.
import type { ProcessEnding } from '#kernel/model/ending.ts';

export interface ProcessSpec {
  /** A string runs through `sh -c` (`cmd` on Windows); a list is started as it is. */
  readonly command: string | readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the program; only the mark is added. */
  readonly env: { readonly [name: string]: string };
  /** `<runId>/<stepId>`. Set as UNTILDONE_MARK with a unique part, so that every descendant can be found. */
  readonly mark: string;
  readonly wallMs: number;
  /** Silence after which the program is ended; null for no such limit. */
  readonly idleMs: number | null;
  /** The time between asking the process tree to end and killing it. */
  readonly graceMs: number;
  /** Written to standard input, which is then closed. Undefined keeps it open for `write`; null closes it. */
  readonly input?: string | null;
  /** It is a server reached from outside, or a client of one: a sandbox keeps the machine's network. */
  readonly isServed?: boolean;
  /** While it returns true, silence does not count, because a tool call is open. */
  isBusy?(): boolean;
  /**
   * Contract: called with output as it comes, in order per stream. A returned promise slows the program down
   * (back-pressure), so memory stays bounded however much it prints.
   */
  onOutput(chunk: Buffer, stream: 'stdout' | 'stderr'): void | Promise<void>;
}

export interface RunningProcess {
  /** Null if the program could not be started; then `ended` says why. */
  readonly pid: number | null;
  /** Settles when the program has ended and its output was delivered; descendants may live. Never rejects. */
  readonly exited: Promise<ProcessEnding>;
  /** Settles when the program ended, its output was delivered, and its tree is gone. Never rejects. */
  readonly ended: Promise<ProcessEnding>;
  write(text: string): void;
  closeInput(): void;
  /** Asks the process tree to end, then kills it. The first cause recorded is the ending. */
  kill(reason: string): void;
}

export interface Processes {
  start(spec: ProcessSpec): RunningProcess;
  /**
   * Kills every process with a mark under `prefix`, also those that left their session and process group.
   * Marks are paths: `run` and `run/1` cover `run/1/x`, but `run/1` never covers `run/10`.
   * Contract: returns the pids that it killed; no marked process is alive when it resolves.
   */
  sweep(prefix: string): Promise<number[]>;
  /** Whether programs see themselves as root; a sandbox may map them to another user. */
  readonly isRoot: boolean;
  /** How far this machine can guarantee that no process stays alive. */
  readonly confinement: Confinement;
}

export interface Confinement {
  readonly kind: 'pid-namespace' | 'marker' | 'process-group';
  /** The guarantee of this machine in one sentence, for `doctor`. */
  readonly promise: string;
}
