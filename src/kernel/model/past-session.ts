// A session that is over, as the run remembers it.
import type { Usage } from '#kernel/budget.ts';
import type { AgentChoice, SessionResult } from '#kernel/step.ts';

export interface PastSession {
  /** '' for a session of the whole run. */
  readonly taskId: string;
  readonly stepId?: string;
  readonly role: string;
  readonly ordinal: number;
  readonly attempt: number;
  readonly agent: AgentChoice;
  /** Null for one that never began, or of which nothing is left. */
  readonly ran: SessionResult['ran'] | null;
  /** What it cost; absent for one that was lost. */
  readonly usage?: Usage;
}
