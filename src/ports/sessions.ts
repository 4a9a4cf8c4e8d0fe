// Sessions as the driver sees them. Each has its own host process, which outlives us and leaves a receipt.
import type { Usage } from '#kernel/model/budget.ts';
import type { SessionOperation, SessionResult, Steer, Step } from '#kernel/model/step.ts';
import type { AgentEvent } from './agent.ts';

export type SessionStep = Step & { readonly deed: SessionOperation };

export interface Sessions {
  /** Starts a host ahead of time, so that its start-up overlaps with the checks. */
  warm(): void;
  start(step: SessionStep, order: SessionOrder): RunningSession;
  /**
   * The result of a session whose driver is gone: by its receipt, else the terminal message in our log, else
   * lost. Contract: when it resolves, no host or process of the session is alive, unless it is attached and
   * lives. Rejects if its files cannot be stored now: nothing is lost, and it can be adopted later.
   */
  adopt(step: SessionStep): Promise<SessionResult | LostSession | LivingSession>;
  close(): Promise<void>;
}

export interface SessionOrder {
  readonly epoch: number;
  /** The folder in which the agent works. */
  readonly cwd: string;
  /** Plain data for reading the tree at the end, if it is not the run's own checkout. */
  readonly worktree?: unknown;
  /** The agent's activity as it happens. Shown, never recorded. */
  onChatter(event: AgentEvent): void;
}

export interface RunningSession {
  /**
   * Contract: settles when the receipt is on disk and no process of the session is alive. Rejects only if its
   * files cannot be stored now: it can be adopted later.
   */
  readonly ended: Promise<SessionResult | LostSession | LeftSession>;
  /** Idempotent. An interrupt that the agent does not support is ignored; the session then ends by itself. */
  steer(steer: Steer): void;
  /** Only for an attached session: `ended` settles as left, and the session continues without a driver. */
  leave?(): void;
}

/** An attached session: an interactive client holds it, and it has not ended. */
export interface LivingSession {
  readonly kind: 'living';
  readonly session: RunningSession;
}

/** The driver left the session; its end is unknown. */
export interface LeftSession {
  readonly kind: 'left';
}

export interface LostSession {
  readonly kind: 'lost';
  readonly reason: string;
  readonly usage: Usage | null;
}

/** The host writes it by atomic rename, as its last operation. */
export interface Receipt {
  readonly stepId: string;
  readonly epoch: number;
  readonly result: SessionResult;
}
