// Agents of the action loop for scenarios, and what a run recorded of their turns.
import type { Fact } from '#kernel/events/events.ts';
import { scriptedAgent } from './agents.ts';
import { eventsOf } from './journal.ts';
import type { Place } from './place.ts';

export interface Reported {
  readonly action: string;
  readonly status?: string;
  readonly message?: string;
  readonly state?: unknown;
  readonly files?: readonly string[];
  readonly next?: string;
}

/** Written by hand, as an agent writes it: the program's own way to print a report is not asked. */
export function report({
  action,
  status = 'success',
  message = 'ok',
  state = {},
  files,
  next,
}: Reported): string {
  return [
    'ACTION_RESULT:',
    `- action: ${action}`,
    `- status: ${status}`,
    `- message: ${message}`,
    `- state_updates: ${typeof state === 'string' ? state : JSON.stringify(state)}`,
    ...(files === undefined ? [] : ['FILES_UPDATED:', ...files.map((file) => `- ${file}`)]),
    `NEXT_ACTION_NEEDED: ${next ?? 'NONE'}`,
    '',
  ].join('\n');
}

export function reports(reported: Reported): { readonly say: string } {
  return { say: `Here is what I did.\n\n${report(reported)}` };
}

export const oneTask = (status: string): object => ({
  tasks: [{ id: 't1', title: 'write done.txt', status }],
});

export const init = [reports({ action: 'INIT', message: 'I read it.', state: oneTask('pending') })];

/** Does the work of the simplest scenario in one turn. */
export const develop = [
  { write: { path: 'done.txt', text: 'right\n' } },
  reports({ action: 'DEVELOP', message: 'It is there.', state: oneTask('done'), files: ['done.txt'] }),
];

/** Flags of a loop over these turns, with no reviewer: a session less in each scenario. */
export function loopFlags(place: Place, turns: readonly (readonly object[])[]): string[] {
  const script = turns.map((actions) => ({ role: 'builder' as const, actions }));
  return ['--preset', 'actions', '--verifier', 'none', ...scriptedAgent(place, script)];
}

export type Taken = Extract<Fact, { readonly type: 'action-taken' }>;

export function takenIn(place: Place): Taken[] {
  return eventsOf(place).flatMap((event) => (event.type === 'action-taken' ? [event] : []));
}

/** `INIT 1 success`: action, iteration and status of every action that was taken. */
export function actionsIn(place: Place): string[] {
  return takenIn(place).map(({ action, iteration, status }) => `${action} ${iteration} ${status}`);
}
