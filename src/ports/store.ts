// The journal of each run: the authority, written under one driver's lock, outside the workspace.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';

export interface Store {
  /**
   * Contract: on disk and synced when it resolves; refuses an id that exists. With `isHeld`, messages name
   * this process as the holder from the start; `open` takes the lock.
   */
  create(runId: string, events: readonly Event[], options?: { readonly isHeld?: boolean }): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly string[]>;
  /** Reads without locking, also while a driver writes. */
  read(runId: string): Promise<Reading>;
  /** The events after a position; null if the journal is shorter than that or damaged from there on. */
  readAfter(runId: string, position: Position): Promise<readonly Event[] | null>;
  /** Reads only a part of the journal. Contract: true is certain; after false, only `read` can decide. */
  isEnded?(runId: string): Promise<boolean>;
  /** The driver of the run, for messages; null if there is none. Never takes the lock. */
  holder(runId: string): Promise<Holder | null>;
  /** Contract: a live holder, stopped or not, never loses its lock. */
  open(runId: string): Promise<Journal | { readonly heldBy: Holder }>;
}

export interface Reading {
  readonly events: readonly Event[];
  /** What was repaired or omitted, in sentences for the user. */
  readonly notes: readonly string[];
}

/** A position between two entries of a journal. */
export interface Position {
  readonly bytes: number;
  readonly seq: number;
}

/** Saves readers of long runs the replay. Contract: never throws, never waits; a snapshot proves nothing. */
export interface Snapshots {
  save(run: Run, position: Position): void;
  close(): Promise<void>;
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** Held by one driver. Releases its lock when closed and when its process dies. */
export interface Journal extends Reading {
  /**
   * Contract: acknowledged only when every byte is written, and synced if asked. A short write or failed sync
   * rejects with an OperatorError, and nothing more is accepted. Refused if another driver wrote meanwhile.
   */
  append(events: readonly Event[], options: { readonly sync: boolean }): Promise<void>;
  /** The position after the newest acknowledged entry. */
  position(): Position;
  close(): Promise<void>;
}
