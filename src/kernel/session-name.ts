// The name of a session for people: the beginning of its log's name.
import type { Run } from './run.ts';
import type { SessionDeed } from './step.ts';

/** `builder_003` */
export function sessionName({ role, ordinal }: Pick<SessionDeed, 'role' | 'ordinal'>): string {
  return `${role}_${String(ordinal).padStart(3, '0')}`;
}

/** Null for a step that is no session. */
export function sessionNameOf(run: Run, stepId: string): string | null {
  const deed = run.running.get(stepId)?.deed;
  if (deed !== undefined) return deed.kind === 'session' ? sessionName(deed) : null;
  const past = run.sessions.findLast((session) => session.stepId === stepId);
  return past === undefined ? null : sessionName(past);
}
