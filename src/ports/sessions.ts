// Sessions as the driver sees them: each lives in a host process of its own, which outlives us and leaves a receipt.
import type { Usage } from '#kernel/model/budget.ts';
import type { SessionDeed, SessionResult, Steer, Step } from '#kernel/model/step.ts';
import type { AgentEvent } from './agent.ts';

export type SessionStep = Step & { readonly deed: SessionDeed };

export interface Sessions {
  /** Starts a host ahead of time, so that its start-up hides behind the checks. */
  warm(): void;
  start(step: SessionStep, order: SessionOrder): RunningSession;
  /**
   * What became of a session whose driver is gone: receipt, else the terminal message in our log, else lost.
   * Contract: no host and nothing of the session's tree is alive when it resolves, unless it is another's and lives on.
   * Rejects when its files cannot be stored now: nothing is lost, and it can be adopted later.
   */
  adopt(step: SessionStep): Promise<SessionResult | LostSession | LivingSession>;
  close(): Promise<void>;
}

export interface SessionOrder {
  readonly epoch: number;
  /** Folder in which the agent works. */
  readonly cwd: string;
  /** How the tree is taken at the end, where that is not the run's own checkout: plain data. */
  readonly worktree?: unknown;
  /** What the agent does, as it does it. Shown, never recorded. */
  onChatter(event: AgentEvent): void;
}

export interface RunningSession {
  /**
   * Contract: settles when the receipt is on disk and nothing of the session is alive. Rejects only when its files cannot
   * be stored now: it can be adopted later.
   */
  readonly ended: Promise<SessionResult | LostSession | LeftSession>;
  /** Idempotent; an interrupt that the agent cannot do is ignored, the session then ends by itself. */
  steer(steer: Steer): void;
  /** Only for a session that is not ours: `ended` settles as left, and it goes on without a driver. */
  leave?(): void;
}

/** Held by somebody else's client, and not at its end. */
export interface LivingSession {
  readonly kind: 'living';
  readonly session: RunningSession;
}

/** The driver went away from it; nothing is known of its end. */
export interface LeftSession {
  readonly kind: 'left';
}

export interface LostSession {
  readonly kind: 'lost';
  readonly reason: string;
  readonly usage: Usage | null;
}

/** What the host leaves behind, by atomic rename, as its last act. */
export interface Receipt {
  readonly stepId: string;
  readonly epoch: number;
  readonly result: SessionResult;
}
