// The record of a task in the action loop: its turns, the agent's state, and the conversation to continue.
import type { Event } from '#kernel/events/events.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { AgentChoice, SessionOperation, SessionResult } from '#kernel/model/step.ts';
import type { ActionName, ActionState, ActionStatus, ActionWish, Turn } from './action.ts';
import { isAgentAction } from './action.ts';
import { isConversationGone } from '#kernel/model/ending.ts';
import type { ActionFact } from '#kernel/events/action-facts.ts';
import { endAttempt, setAwaiting } from '#kernel/fold/work.ts';

export interface ActionLoop {
  /** Turns of the agent that gave a result. */
  iteration: number;
  /** Iterations before a person asked for a retry; they no longer count. */
  forgiven: number;
  isInitialised: boolean;
  state: ActionState;
  /** Oldest first. */
  readonly taken: TakenAction[];
  /** A person's choice, until it is done. */
  chosen: ChosenAction | null;
  /** The agent's current turn. */
  turn: Turn | null;
  /** The tree that the loop checked last, and the result. */
  validated: { readonly tree: string; readonly isGreen: boolean } | null;
  /** The client's own id of the conversation, and the agent that holds it. */
  conversation: { readonly agent: AgentChoice; readonly id: string } | null;
  /** Sessions in a row without a usable result: unreadable, failed or cut short. */
  troubles: number;
  /** Turns in a row that changed neither files nor state. */
  idleTurns: number;
  /** Why the last answer of this turn was unusable; the next request names the problems. */
  problems: readonly string[];
  /** The end of the output of a session that was cut short; shown to the next session. */
  previousOutput: string;
}

export interface TakenAction {
  readonly at: number;
  readonly stepId: string;
  readonly iteration: number;
  readonly action: ActionName;
  readonly status: ActionStatus;
  readonly message: string;
  readonly next: ActionWish;
  readonly tree: string | null;
  readonly filesUpdated: readonly string[];
  readonly menuOptions: string;
  /** Parts of the report that were not accepted. */
  readonly problems: readonly string[];
}

export interface ChosenAction {
  readonly turn: number;
  readonly action: ActionName;
  readonly text: string;
  readonly data: unknown;
  readonly by: string;
}

export function emptyActionLoop(): ActionLoop {
  return {
    iteration: 0,
    forgiven: 0,
    isInitialised: false,
    state: {},
    taken: [],
    chosen: null,
    turn: null,
    validated: null,
    conversation: null,
    troubles: 0,
    idleTurns: 0,
    problems: [],
    previousOutput: '',
  };
}

/** Iterations before a retry do not count against the budget. */
export function iterationsMax({ budget }: Run, { actions }: TaskState): number {
  return actions.forgiven + budget.attemptsPerTask;
}

/** Each action that was taken ends one choice. */
export function choiceNumber({ taken }: ActionLoop): number {
  return taken.length + 1;
}

export type ActionEvent = Extract<Event, { readonly type: ActionFact['type'] }>;

export function applyAction(task: TaskState, event: ActionEvent): void {
  const { actions } = task;
  switch (event.type) {
    case 'action-chosen': {
      const { turn, action, text = '', data = null, by } = event;
      actions.chosen = { turn, action, text, data, by };
      // A person who chooses knows the state of the loop: earlier failures no longer count.
      actions.troubles = 0;
      actions.idleTurns = 0;
      setAwaiting(task, null);
      return;
    }
    case 'action-unreadable':
      actions.problems = event.problems;
      return;
    case 'action-taken':
      return takeAction(task, event);
  }
}

function takeAction(task: TaskState, event: Extract<ActionEvent, { readonly type: 'action-taken' }>): void {
  const { actions } = task;
  const { at, stepId, iteration, action, status, message, next, tree } = event;
  const { filesUpdated = [], menuOptions = '', problems = [] } = event;
  const taken = { at, stepId, iteration, action, status, message, next, tree };
  const isIdle = isIdleTurn(task, event);
  actions.taken.push({ ...taken, filesUpdated, menuOptions, problems });
  actions.iteration = iteration;
  actions.state = event.state;
  actions.chosen = null;
  actions.turn = null;
  actions.problems = [];
  actions.previousOutput = '';
  endAttempt(task);
  const isFailed = status === 'failed';
  task.failures.last = isFailed ? { attempt: task.attempt, reason: message, at } : null;
  if (isAgentAction(action)) {
    actions.troubles = isFailed ? actions.troubles + 1 : 0;
    actions.idleTurns = isIdle ? actions.idleTurns + 1 : 0;
    if (action === 'INIT' && status === 'success') actions.isInitialised = true;
    return;
  }
  if (tree !== null) actions.validated = { tree, isGreen: !isFailed };
}

/** The agent reports success, but neither files nor state have changed. */
export function isIdleTurn(
  { actions }: TaskState,
  {
    action,
    status,
    tree,
    state,
  }: Pick<ActionEvent & { type: 'action-taken' }, 'action' | 'status' | 'tree' | 'state'>,
): boolean {
  const before = actions.taken.at(-1);
  if (before === undefined || status !== 'success' || action === 'INIT' || !isAgentAction(action))
    return false;
  return tree === before.tree && JSON.stringify(state) === JSON.stringify(actions.state);
}

export function startTurn(task: TaskState, { turn }: SessionOperation): void {
  if (turn === undefined) return;
  task.actions.turn = turn;
}

/** Only the bookkeeping of the session; the result is judged elsewhere. */
export function endTurn(task: TaskState, { turn, agent }: SessionOperation, result: SessionResult): void {
  if (turn === undefined) return;
  const { actions } = task;
  const { ending, resumeId } = result;
  const isKept = ending.kind === 'finished' || ending.kind === 'interrupted' || ending.kind === 'timed-out';
  if (isConversationGone(ending)) actions.conversation = null;
  else if (isKept && resumeId !== undefined) actions.conversation = { agent, id: resumeId };
  // If a session that was asked to wrap up still gave no result, its conversation is not continued.
  if (isCutShort(result) && (turn.way === 'converge' || !isKept)) actions.conversation = null;
  if (isCutShort(result)) actions.troubles += 1;
  if (result.signal?.kind === 'action-unreadable')
    actions.previousOutput = joined(actions.previousOutput, result.signal.text);
}

/** Of all sessions of a turn, because one that was only asked to wrap up may print nothing. */
function joined(before: string, text: string): string {
  const parts = [before, text].filter((part) => part.trim() !== '');
  return parts.join('\n').slice(-previousOutputMax);
}

/** More than a later session is shown. */
const previousOutputMax = 16_000;

/** Ended without a result, and through no fault of the provider. */
export function isCutShort({ ending }: SessionResult): boolean {
  return ending.kind === 'timed-out' || ending.kind === 'crashed' || ending.kind === 'over-limit';
}

/** The acceptance refused the completed work: the agent has to work before the next validation. */
export function reopenActions({ actions, workTree }: TaskState): void {
  if (workTree !== null) actions.validated = { tree: workTree, isGreen: false };
}

export function forgiveActions({ actions }: TaskState): void {
  actions.forgiven = actions.iteration;
  actions.chosen = null;
  actions.troubles = 0;
  actions.idleTurns = 0;
}
