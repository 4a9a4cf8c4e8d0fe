// A scripted model in an action loop: which turn it is asked for, and how it reports.
import { eventsOf } from '../journal.ts';
import type { Place } from '../place.ts';
import type { LoopClient } from './loop-clients.ts';
import type { Asked, Model, ModelReply } from './model.ts';
import { say, startModel } from './model.ts';

export interface TurnAsked {
  readonly action: string;
  /** Requests for a turn that this conversation has seen, this one included. */
  readonly turns: number;
  /** Tool results since the turn was asked for. */
  readonly results: number;
  /** The whole request as the client sent it. */
  readonly body: string;
}

export interface LoopModel extends Model {
  readonly asked: readonly TurnAsked[];
}

/** The first turn is INIT; `develop` answers every later request. */
export async function startLoopModel(develop: (turn: TurnAsked) => ModelReply): Promise<LoopModel> {
  const asked: TurnAsked[] = [];
  let body = '';
  const model = await startModel({
    requestsMax: 200,
    reply: (one) => {
      const turn = turnOf(one, body);
      asked.push(turn);
      return turn.action === 'INIT' ? initReport : develop(turn);
    },
    // Seen before it is answered: the normalised request leaves out some messages of a client to its model.
    fault: (_, request) => {
      ({ body } = request);
      return null;
    },
  });
  return { ...model, asked };
}

function turnOf({ request }: Asked, body: string): TurnAsked {
  const { messages } = request;
  const actions = messages.map(({ content }) => asksFor.exec(JSON.stringify(content) ?? '')?.[1]);
  const last = actions.findLastIndex((action) => action !== undefined);
  return {
    action: actions[last] ?? 'INIT',
    turns: actions.filter((action) => action !== undefined).length,
    results: messages.slice(last + 1).filter(({ role }) => role === 'tool').length,
    body,
  };
}

const asksFor = /## This turn: (\w+)/;

export interface Reported {
  readonly action: string;
  readonly message: string;
  readonly next: string;
  readonly isDone?: boolean;
}

/** Written by hand, as a model writes it. */
export function report({ action, message, next, isDone = false }: Reported): ModelReply {
  const tasks = [{ id: 't1', title: 'write done.txt', status: isDone ? 'done' : 'pending' }];
  return say(
    [
      'Here is what I did.',
      '',
      '**ACTION_RESULT:**',
      `- action: ${action}`,
      '- status: success',
      `- message: ${message}`,
      `- state_updates: ${JSON.stringify({ tasks })}`,
      `NEXT_ACTION_NEEDED: ${next}`,
    ].join('\n'),
  );
}

const initReport = report({ action: 'INIT', message: 'I read it.', next: 'DEVELOP' });

/** The last turn of each scenario: the work, then the report. */
export function finishWork(client: LoopClient, { results }: Pick<TurnAsked, 'results'>): ModelReply {
  if (results === 0) return client.shell('echo right > done.txt');
  return report({ action: 'DEVELOP', message: 'It is there.', next: 'VALIDATE', isDone: true });
}

/** Flags of a loop without a reviewer. */
export function loopRun({ name }: LoopClient, ...flags: readonly string[]): string[] {
  const check = ['--check', 'grep -q right done.txt'];
  return [
    'run',
    'write done.txt',
    '--preset',
    'actions',
    '--verifier',
    'none',
    '--agent',
    name,
    ...check,
    ...flags,
  ];
}

/** `INIT 1`: action and iteration of every action that was taken. */
export function actionsIn(place: Place): string[] {
  return eventsOf(place).flatMap((event) =>
    event.type === 'action-taken' ? [`${event.action} ${event.iteration}`] : [],
  );
}
