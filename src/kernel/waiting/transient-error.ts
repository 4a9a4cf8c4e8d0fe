import type { SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentChoice } from '#kernel/model/step.ts';

/** A transient error of a provider. */
export interface TransientError {
  readonly role: string;
  readonly errorClass: SessionErrorClass;
  readonly detail: string;
  /** In a row, of one agent; 0 once a person resumed without waiting. */
  readonly count: number;
  readonly at: number;
  /** The same moment by the machine's clock; absent if it is equal. */
  readonly wallAt?: number;
  /** As the provider reported it. */
  readonly resetAt: number | null;
  /** Set once the run has decided to wait for a usage limit. */
  readonly until: number | null;
  /** The wall clock has reached `until`. */
  readonly isReached?: true;
  /** The agent that met it. */
  readonly agent?: AgentChoice;
  /** When the row began, whichever agents met it. */
  readonly since?: number;
}

/** Keeps a task's builders from working, through no fault of the task. */
export interface ProviderTrouble {
  /** The transient error that ended its last builder session, if any. */
  transientError: TransientError | null;
  /** Builders that met a usage limit at this task, each with its end. */
  limits: readonly LimitedAgent[];
}

export interface LimitedAgent extends AgentChoice {
  readonly until: number;
}
