import type { SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentChoice } from '#kernel/model/step.ts';

/** Trouble of a provider that passes by itself. */
export interface Setback {
  readonly role: string;
  readonly errorClass: SessionErrorClass;
  readonly detail: string;
  /** In a row, of one agent; 0 once a person asked to go on without waiting. */
  readonly count: number;
  readonly at: number;
  /** The same moment by the machine's clock; absent where that is no other. */
  readonly wallAt?: number;
  /** As the provider told it. */
  readonly resetAt: number | null;
  /** Set once it was concluded that a usage limit is waited for. */
  readonly until: number | null;
  /** The wall clock has reached `until`. */
  readonly isReached?: true;
  /** Which agent met it. */
  readonly agent?: AgentChoice;
  /** When the row began, whichever agents met it. */
  readonly since?: number;
}

/** What keeps a task's builders from working, through no fault of its own. */
export interface ProviderTrouble {
  /** The transient error that its last builder session ended with, if it did. */
  setback: Setback | null;
  /** Builders that met a usage limit at this task, each with its end. */
  limits: readonly LimitedAgent[];
}

export interface LimitedAgent extends AgentChoice {
  readonly until: number;
}
