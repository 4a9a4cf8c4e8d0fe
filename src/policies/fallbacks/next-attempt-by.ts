// Chooses what follows a failed attempt: the same agent, the next agent, a new plan. A person comes last.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { buildersFor } from './agent-for.ts';
import type { FailureKind, FailureTrace } from '#kernel/events/failure-trace.ts';

/** The same agent fixes nearly right work (a slip, a clash) once; otherwise the next agent tries, if any. */
export function nextAttemptBy(run: Run, task: TaskState, kind: FailureKind): FailureTrace['hand'] {
  if (task.failures.fallbackIndex >= buildersFor(run, task).length - 1) return 'same-agent';
  const isMended = kind === 'syntax' || kind === 'integration';
  return isMended && task.failures.trail.at(-1)?.kind !== kind ? 'same-agent' : 'next-agent';
}

/** Why another attempt will not help but a new plan may, in a sentence; null while an attempt makes sense. */
export function planAtFault({ failures }: TaskState): string | null {
  const last = failures.trail.at(-1);
  if (last === undefined) return null;
  const row = failures.trail.length - 1 - failures.trail.findLastIndex(({ kind }) => kind !== last.kind);
  const isAnybodyLeft = last.hand === 'next-agent';
  switch (last.kind) {
    case 'strategic':
      return row >= 2 && !isAnybodyLeft ? 'it cannot be done as planned' : null;
    // Neither this agent nor the next one, if any, could make it fit: the tasks clash.
    case 'integration':
      return row >= 3 || (row === 2 && !isAnybodyLeft)
        ? 'it meets its own criteria and breaks finished work'
        : null;
    case 'syntax':
    case 'logic':
      return null;
  }
}
