// A session in the run's history, and its name for people: the beginning of its log's name.
import type { AgentChoice, SessionOperation, SessionResult, Step } from './step.ts';
import type { Usage } from './budget.ts';

/** `builder_003` */
export function sessionName({ role, ordinal }: Pick<SessionOperation, 'role' | 'ordinal'>): string {
  return `${role}_${String(ordinal).padStart(3, '0')}`;
}

/** Null for a step that is no session. */
export function sessionNameOf(
  run: { readonly running: ReadonlyMap<string, Step>; readonly sessions: readonly PastSession[] },
  stepId: string,
): string | null {
  const operation = run.running.get(stepId)?.deed;
  if (operation !== undefined) return operation.kind === 'session' ? sessionName(operation) : null;
  const past = run.sessions.findLast((session) => session.stepId === stepId);
  return past === undefined ? null : sessionName(past);
}

export interface PastSession {
  /** '' for a session of the whole run. */
  readonly taskId: string;
  readonly stepId?: string;
  readonly role: string;
  readonly ordinal: number;
  readonly attempt: number;
  readonly agent: AgentChoice;
  /** Null for a session that never began or was lost. */
  readonly ran: SessionResult['ran'] | null;
  /** Absent for a lost session. */
  readonly usage?: Usage;
}
