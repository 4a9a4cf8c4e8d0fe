// The journal of a run, read from its file without the program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '#kernel/events/events.ts';
import type { SessionResult, Step } from '#kernel/model/step.ts';
import type { Place } from './place.ts';
import { runFolders } from './place.ts';

/** A line that is not whole yet, or was torn by a kill, is none. */
export function readEvents(runFolder: string): Event[] {
  let text = '';
  try {
    text = readFileSync(join(runFolder, 'journal.jsonl'), 'utf8');
  } catch {
    return [];
  }
  const end = text.lastIndexOf('\n');
  return text
    .slice(0, Math.max(end, 0))
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => (JSON.parse(line.slice(line.indexOf('{'))) as { events: Event[] }).events);
}

/** Events of the newest run of a place. */
export function eventsOf(place: Place): Event[] {
  const newest = runFolders(place).at(-1);
  return newest === undefined ? [] : readEvents(newest);
}

export function startedSteps(events: readonly Event[]): Step[] {
  return events.flatMap((event) => (event.type === 'step-started' ? [event.step] : []));
}

/** The sessions in the order of their start, with how they ended as far as it is known. */
export function sessionsOf(events: readonly Event[]) {
  const results = new Map<string, SessionResult>();
  for (const event of events) {
    if (event.type === 'step-ended' && event.result.kind === 'session')
      results.set(event.stepId, event.result);
  }
  return startedSteps(events).flatMap(({ stepId, baseTree, deed }) =>
    deed.kind === 'session' ? [{ stepId, baseTree, deed, result: results.get(stepId) ?? null }] : [],
  );
}

export type Stage =
  | 'prepare'
  | 'base checks'
  | 'builder'
  | 'checks'
  | 'verifier'
  | 'commit'
  | 'acceptance'
  | 'between';

export const stages: readonly Stage[] = [
  'prepare',
  'base checks',
  'builder',
  'checks',
  'verifier',
  'commit',
  'acceptance',
  'between',
];

/** What was under way, by the last fact that says so. */
export function stageOf(events: readonly Event[]): Stage {
  const running = new Map<string, Step>();
  for (const event of events) {
    if (event.type === 'step-started') running.set(event.step.stepId, event.step);
    else if (event.type === 'step-ended' || event.type === 'step-lost') running.delete(event.stepId);
  }
  const step = [...running.values()].at(-1);
  return step === undefined ? 'between' : stageOfStep(step);
}

function stageOfStep({ deed }: Step): Stage {
  switch (deed.kind) {
    case 'prepare':
    case 'survey':
    case 'settle-plan':
      return 'prepare';
    case 'commit':
      return 'commit';
    case 'session':
      return deed.role === 'builder' ? 'builder' : 'verifier';
    case 'reproduce':
      return 'verifier';
    case 'check':
      return ({ base: 'base checks', attempt: 'checks', acceptance: 'acceptance', look: 'checks' } as const)[
        deed.purpose
      ];
  }
}
