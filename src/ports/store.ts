// The authority: the journal of each run, under one driver's lock. Lives outside the workspace.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';

export interface Store {
  /**
   * Contract: on disk and synced when it resolves; refuses an id that exists. With `isHeld`, this process is its holder from the
   * first moment on, for messages; the lock is taken by `open`.
   */
  create(runId: string, events: readonly Event[], options?: { readonly isHeld?: boolean }): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly string[]>;
  /** Reads without locking, also while a driver writes. */
  read(runId: string): Promise<Reading>;
  /** The events after a position; null when the journal no longer reaches so far or is not sound from there on. */
  readAfter(runId: string, position: Position): Promise<readonly Event[] | null>;
  /** Without reading the whole of it. Contract: true only for certain; false means that only `read` tells. */
  isEnded?(runId: string): Promise<boolean>;
  /** Who drives the run now, for messages; null when nobody does. Never takes the lock. */
  holder(runId: string): Promise<Holder | null>;
  /** Contract: a live holder, stopped or not, is never pushed aside. */
  open(runId: string): Promise<Journal | { readonly heldBy: Holder }>;
}

export interface Reading {
  readonly events: readonly Event[];
  /** What had to be healed or left out, in sentences for the user. */
  readonly notes: readonly string[];
}

/** A place between two entries of a journal. */
export interface Position {
  readonly bytes: number;
  readonly seq: number;
}

/** Spares readers of long runs the replay. Contract: never throws, never waits; what it keeps proves nothing. */
export interface Snapshots {
  save(run: Run, position: Position): void;
  close(): Promise<void>;
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** Held by one driver; frees its lock when closed and when its process dies. */
export interface Journal extends Reading {
  /**
   * Contract: acknowledged only when every byte is written, and synced if asked; a short write or a failed sync rejects with an
   * OperatorError and nothing further is accepted. Refused when another driver wrote meanwhile.
   */
  append(events: readonly Event[], options: { readonly sync: boolean }): Promise<void>;
  /** After the newest entry that was acknowledged. */
  position(): Position;
  close(): Promise<void>;
}
