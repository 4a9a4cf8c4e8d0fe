// The master log: one line per session with role, ending, done or verified, and its log file.
import { describeSessionEnding } from '#kernel/model/ending.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { namesOfRun } from './step-names.ts';
import { utc } from '#views/words.ts';

/** Null for a fact that neither ends a session nor ends or reopens the run. */
export function masterLogLine(run: Run, event: Event): string | null {
  if (event.type === 'run-ended')
    return `${utc(event.at)} run ${run.id} ${event.outcome}: ${oneLine(event.reason)}`;
  if (event.type === 'driver-started') return takenUp(run, event.at);
  if (event.type === 'step-lost')
    return `${utc(event.at)} ${namesOfRun(run)(event.stepId)} error="lost: ${oneLine(event.reason)}"`;
  if (event.type !== 'step-ended' || event.result.kind !== 'session') return null;
  // No session began, so there is no log.
  if (event.result.notAdmitted === true) return null;
  const { result } = event;
  const role = result.log.split('_')[0] ?? '';
  const word = run.config.roles[role]?.readOnly === true ? 'verified' : 'done';
  const isDone = result.signal?.kind === 'done';
  const error =
    result.ending.kind === 'finished'
      ? 'none'
      : JSON.stringify(oneLine(describeSessionEnding(result.ending)));
  return `${utc(event.at)} ${result.log.replace(/^([^_]+_\d+).*$/, '$1')} error=${error} ${word}=${isDone ? 'yes' : 'no'} log=${result.log}`;
}

/** Written by the first driver after the reopening: mostly the run has no driver when it is reopened. */
function takenUp({ id, reopenings, stepsStarted }: Run, at: number): string | null {
  const last = reopenings.at(-1);
  return last?.steps === stepsStarted ? `${utc(at)} run ${id} reopened by ${last.by}` : null;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
