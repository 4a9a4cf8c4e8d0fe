// Failed attempts, and the times at which tasks and criteria were completed. For views; no decision reads it.
import type { Event } from '#kernel/events/events.ts';

export interface FailedAttempt {
  readonly taskId: string;
  readonly attempt: number;
  readonly reason: string;
  readonly at: number;
}

export interface RunHistory {
  /** The newest ones, oldest first, bounded. */
  readonly errors: FailedAttempt[];
  /** By task; meaningful only while the task is landed. */
  readonly landedAt: Map<string, number>;
  /** By task, then by criterion: since when its check passes. */
  readonly passedAt: Map<string, Map<string, number>>;
  /** When the run ended; null before. */
  endedAt: number | null;
}

/** Enough to see a pattern; the journal has all of them. */
export const errorsMax = 50;

export function emptyHistory(): RunHistory {
  return { errors: [], landedAt: new Map(), passedAt: new Map(), endedAt: null };
}

interface Remembering {
  readonly history: RunHistory;
  readonly tasks: ReadonlyMap<string, { readonly attempt: number }>;
}

export function keepHistory({ history, tasks }: Remembering, event: Event): void {
  switch (event.type) {
    case 'attempt-failed':
      return keepError(history, event);
    // The acceptance refused the attempt that had passed.
    case 'task-reopened':
      return keepError(history, { ...event, attempt: tasks.get(event.taskId)?.attempt ?? 0 });
    case 'evidence-recorded':
      return keepPass(history, event);
    case 'run-ended':
      history.endedAt = event.at;
      return;
    case 'run-reopened':
      history.endedAt = null;
      return;
    default:
      return;
  }
}

function keepError({ errors }: RunHistory, { taskId, attempt, reason, at }: FailedAttempt): void {
  errors.push({ taskId, attempt, reason, at });
  if (errors.length > errorsMax) errors.shift();
}

/** A preview and the base prove nothing about the work. */
function keepPass({ passedAt }: RunHistory, { evidence, at }: Event & { type: 'evidence-recorded' }): void {
  const { taskId, criterionId, purpose, verdict } = evidence;
  if (purpose !== 'attempt' && purpose !== 'acceptance') return;
  const times = passedAt.get(taskId) ?? new Map<string, number>();
  passedAt.set(taskId, times);
  if (verdict !== 'pass') times.delete(criterionId);
  else if (!times.has(criterionId)) times.set(criterionId, at);
}
