// Records the messages of a client that decide how its session ended.
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { numberOf, textOf, fieldsOf, type Fields } from '#agents/shared/json.ts';
import { createUsageTally, type UsageTally } from './claude-usage.ts';
import { isSynthetic } from './translate-message.ts';

export interface ClaudeState {
  /** Whether the session was to continue an earlier conversation. */
  readonly isResumed: boolean;
  /** Whether the client has introduced itself: it does so once it has a conversation. */
  isIntroduced: boolean;
  /** Whether a model has answered. */
  hasAnswered: boolean;
  sessionId: string | null;
  model: string | null;
  /** The newest result: a turn that was requested later has its own. */
  result: Fields | null;
  /** The client's own name for the error. */
  error: string | null;
  /** Epoch ms; from the limits of a subscription. */
  limitResetAt: number | null;
  /** The last text outside the protocol. */
  complaint: string;
  readonly usage: UsageTally;
}

export function createClaudeState(knowledge: AgentKnowledge, isResumed: boolean): ClaudeState {
  return {
    isResumed,
    isIntroduced: false,
    hasAnswered: false,
    sessionId: null,
    model: null,
    result: null,
    error: null,
    limitResetAt: null,
    complaint: '',
    usage: createUsageTally(knowledge, isResumed),
  };
}

/** True when the message changed the known usage. */
export function hear(state: ClaudeState, message: Fields): boolean {
  const sessionId = textOf(message['session_id']);
  if (sessionId !== '') state.sessionId = sessionId;
  switch (message['type']) {
    case 'system':
      if (message['subtype'] !== 'init') return false;
      state.isIntroduced = true;
      state.model = textOf(message['model']) || state.model;
      return false;
    case 'assistant':
      return hearAssistant(state, message);
    case 'rate_limit_event':
      hearRateLimit(state, fieldsOf(message['rate_limit_info']));
      return false;
    case 'result':
      state.result = message;
      state.usage.onResult(message);
      return true;
    default:
      return false;
  }
}

function hearAssistant(state: ClaudeState, message: Fields): boolean {
  if (isSynthetic(message)) {
    state.error = textOf(message['error']) || state.error;
    return false;
  }
  state.error = null;
  state.hasAnswered = true;
  state.usage.onModelMessage(fieldsOf(message['message']));
  return true;
}

function hearRateLimit(state: ClaudeState, info: Fields): void {
  const resetsAt = numberOf(info['resetsAt']);
  state.limitResetAt = info['status'] === 'rejected' && resetsAt > 0 ? Math.round(resetsAt * 1_000) : null;
}
