// Decides what happens when time or money is used up.
import { awaitPerson } from '#kernel/proof/left-to-person.ts';
import { isApprovedAsWhole } from '#kernel/proof/proof-kind.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Decision } from './decision.ts';
import { awaitingOf } from '#kernel/fold/work.ts';

export function endOfTime(run: Run, decision: Decision): Decision {
  const reason = `the time budget of ${describeMs(run.budget.activeMs)} is used up`;
  if (run.running.size === 0) endSpent(run, decision, reason);
  for (const stepId of run.running.keys()) decision.steer.push({ stepId, kind: 'kill', reason });
  return decision;
}

/** Only work without sessions is left, such as a person's verdict; our checks have their own time limits. */
export function isFinishing(run: Run): boolean {
  for (const { deed } of run.running.values()) if (deed.kind === 'session') return false;
  if (isApprovedAsWhole(run) || isAcceptanceDone(run)) return true;
  return [...run.tasks.values()].some((task) => awaitingOf(task) !== null);
}

/** Every task has ended and the acceptance has run: only its result or a person's verdict is missing. */
function isAcceptanceDone({ acceptance, tip, queue }: Run): boolean {
  return queue.unfinished === 0 && acceptance !== null && acceptance.tree === tip?.tree;
}

/** No money or time is left: the run ends, unless only a person's verdict is missing. */
export function endSpent(run: Run, decision: Decision, reason: string): void {
  for (const task of run.queue.active) {
    const awaited = awaitPerson(run, task, reason);
    if (awaited === null) continue;
    if (awaitingOf(task) === null) decision.record.push(awaited);
    else decision.waitingFor ??= awaitingOf(task);
  }
  if (decision.record.length === 0 && decision.waitingFor === null)
    decision.record.push({ type: 'run-ended', outcome: 'exhausted', reason });
}

function describeMs(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes >= 120 ? `${Math.round(minutes / 60)} h` : `${minutes} min`;
}
