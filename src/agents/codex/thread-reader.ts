// Translates app-server notifications to events and the state of the turn. Pure: one line in, events out.
import { type Usage, unknownUsage } from '#kernel/model/budget.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { createItemReader, notice } from './codex-items.ts';
import { createThreadUsage, usageOf } from './codex-usage.ts';
import type { CodexError } from './turn-error.ts';
import { fieldsOf, textOf, type Fields } from '#agents/shared/json.ts';

export type TurnEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly error: CodexError };

export interface ThreadReader {
  opened(threadId: string, model: string | null): void;
  /** A new turn is requested: the end of an older one no longer counts. */
  turnAsked(): void;
  turnStarted(turnId: string): void;
  turnId(): string | null;
  onNotification(method: string, params: Fields): AgentEvent[];
  /** How our newest turn ended; null while it runs. */
  turnEnd(): TurnEnd | null;
  /** The error that codex retries, and how often in a row. */
  retrying(): { readonly error: CodexError; readonly count: number } | null;
  readonly changedPaths: (itemId: string) => readonly string[] | null;
  usage(): Usage;
  model(): string | null;
  /** When the used-up windows of a subscription reset, epoch ms. */
  windowResetAt(): number | null;
}

/** Notifications that we would drop; diffs and outputs arrive in full again and again. */
export const unwantedNotifications: readonly string[] = [
  'item/commandExecution/outputDelta',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/reasoning/textDelta',
  'item/reasoning/summaryTextDelta',
  'item/plan/delta',
  'turn/diff/updated',
  'thread/status/changed',
  'rawResponseItem/completed',
];

interface ReaderState {
  threadId: string;
  turnId: string | null;
  /** Every turn that we requested, including the newest. */
  ours: Set<string>;
  model: string | null;
  end: TurnEnd | null;
  retry: { error: CodexError; count: number } | null;
  usage: Usage;
  windowResetAt: number | null;
}

export function createThreadReader(knowledge: AgentKnowledge, resume: string | null): ThreadReader {
  const isResumed = resume !== null;
  const state: ReaderState = {
    threadId: resume ?? '',
    turnId: null,
    ours: new Set(),
    model: null,
    end: null,
    retry: null,
    usage: unknownUsage,
    windowResetAt: null,
  };
  const items = createItemReader();
  const usage = createThreadUsage(() => state.threadId, isResumed);

  const usageEvents = (params: Fields): AgentEvent[] => {
    const isBefore = isResumed && !state.ours.has(textOf(params['turnId']));
    const threadId = textOf(params['threadId']);
    usage.reported(threadId, isBefore, params['tokenUsage']);
    if (isBefore && threadId === state.threadId) return [];
    state.usage = usageOf(knowledge, state.model, usage.tokens());
    const freed = threadId === state.threadId ? items.wentOn() : [];
    return [...freed, { type: 'usage', usage: state.usage }];
  };
  /** A subagent counts only as activity: its text is not the assistant's. */
  const fromMain = (params: Fields, read: () => AgentEvent[]): AgentEvent[] => {
    state.retry = null;
    return params['threadId'] === state.threadId ? read() : [];
  };

  return {
    opened: (threadId, model) => Object.assign(state, { threadId, model }),
    turnAsked: () => Object.assign(state, { turnId: null, end: null }),
    turnStarted: (turnId) => begin(state, turnId),
    turnId: () => state.turnId,
    onNotification: (method, params) => {
      switch (method) {
        case 'item/started':
          return fromMain(params, () => items.started(fieldsOf(params['item'])));
        case 'item/agentMessage/delta':
          return fromMain(params, () => items.grew(textOf(params['itemId']), textOf(params['delta'])));
        case 'item/completed':
          return fromMain(params, () => items.completed(fieldsOf(params['item'])));
        case 'thread/tokenUsage/updated':
          return usageEvents(params);
        default:
          return readRest(state, method, params);
      }
    },
    turnEnd: () => state.end,
    retrying: () => state.retry,
    changedPaths: items.changedPaths,
    usage: () => state.usage,
    model: () => state.model,
    windowResetAt: () => state.windowResetAt,
  };
}

function readRest(state: ReaderState, method: string, params: Fields): AgentEvent[] {
  switch (method) {
    case 'turn/started':
      if (params['threadId'] === state.threadId) begin(state, textOf(fieldsOf(params['turn'])['id']));
      return [];
    case 'turn/completed':
      if (params['threadId'] === state.threadId) readTurnEnd(state, fieldsOf(params['turn']));
      return [];
    case 'error':
      return readError(state, params);
    case 'account/rateLimits/updated':
      state.windowResetAt = resetOf(fieldsOf(params['rateLimits'])) ?? state.windowResetAt;
      return [];
    case 'model/rerouted':
      if (params['threadId'] === state.threadId) state.model = textOf(params['toModel']) || state.model;
      return [notice(`codex continues with the model ${textOf(params['toModel'])}`)];
    case 'warning':
    case 'guardianWarning':
    case 'configWarning':
    case 'deprecationNotice':
      return [notice([params['message'], params['summary'], params['details']].map(textOf).join(' ').trim())];
    default:
      return [];
  }
}

/** The answer and the notification report the same turn, in any order; an ended turn stays ended. */
function begin(state: ReaderState, turnId: string): void {
  if (state.ours.has(turnId)) return;
  state.ours.add(turnId);
  state.turnId = turnId;
}

function readTurnEnd(state: ReaderState, turn: Fields): void {
  const id = textOf(turn['id']);
  if (id !== state.turnId && state.ours.has(id)) return;
  begin(state, id);
  const status = turn['status'];
  if (status === 'completed' || status === 'interrupted') state.end = { kind: status };
  else state.end = { kind: 'failed', error: errorOf(turn['error']) };
}

function readError(state: ReaderState, params: Fields): AgentEvent[] {
  const fields = fieldsOf(params['error']);
  const details = textOf(fields['additionalDetails']);
  const message = textOf(fields['message']);
  if (params['willRetry'] === true && params['threadId'] === state.threadId) {
    const error = { message: details || message, info: fields['codexErrorInfo'] };
    state.retry = { error, count: (state.retry?.count ?? 0) + 1 };
  }
  return [notice(details === '' ? message : `${message}: ${details}`)];
}

export function errorOf(value: unknown): CodexError {
  const fields = fieldsOf(value);
  const message = textOf(fields['message']) || textOf(fields['additionalDetails']) || 'codex gave no reason';
  return { message, info: fields['codexErrorInfo'] ?? null };
}

function resetOf(limits: Fields): number | null {
  const windows = [limits['primary'], limits['secondary']].map(fieldsOf);
  const resets = windows.flatMap(({ usedPercent, resetsAt }) =>
    typeof usedPercent === 'number' && usedPercent >= 100 && typeof resetsAt === 'number'
      ? [resetsAt * 1000]
      : [],
  );
  return resets.length === 0 ? null : Math.max(...resets);
}
