// Who tries next, by the kind of the failure: the same agent with the error, the next agent, another plan. A person comes last, when no plan is left.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { buildersFor } from './agent-for.ts';
import type { FailureKind, FailureTrace } from '#kernel/events/failure-trace.ts';

/** Whose own work is nearly right mends it, once: a slip, and a clash with what was finished before. All else is the next one's, while there is one. */
export function handAfter(run: Run, task: TaskState, kind: FailureKind): FailureTrace['hand'] {
  if (task.failures.fallbackIndex >= buildersFor(run, task).length - 1) return 'same-agent';
  const isMended = kind === 'syntax' || kind === 'integration';
  return isMended && task.failures.trail.at(-1)?.kind !== kind ? 'same-agent' : 'next-agent';
}

/** Why another try of the same will not help and another plan may, in a sentence; null while somebody should try. */
export function planAtFault({ failures }: TaskState): string | null {
  const last = failures.trail.at(-1);
  if (last === undefined) return null;
  const row = failures.trail.length - 1 - failures.trail.findLastIndex(({ kind }) => kind !== last.kind);
  const isAnybodyLeft = last.hand === 'next-agent';
  switch (last.kind) {
    case 'strategic':
      return row >= 2 && !isAnybodyLeft ? 'it cannot be done as planned' : null;
    // Whoever made it could not make it fit, and neither could the next one, if there is one: the tasks clash.
    case 'integration':
      return row >= 3 || (row === 2 && !isAnybodyLeft)
        ? 'it meets its own criteria and breaks finished work'
        : null;
    case 'syntax':
    case 'logic':
      return null;
  }
}
