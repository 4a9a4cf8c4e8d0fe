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
export function hear(heard: ClaudeState, message: Fields): boolean {
  const sessionId = textOf(message['session_id']);
  if (sessionId !== '') heard.sessionId = sessionId;
  switch (message['type']) {
    case 'system':
      if (message['subtype'] !== 'init') return false;
      heard.isIntroduced = true;
      heard.model = textOf(message['model']) || heard.model;
      return false;
    case 'assistant':
      return hearAssistant(heard, message);
    case 'rate_limit_event':
      hearRateLimit(heard, fieldsOf(message['rate_limit_info']));
      return false;
    case 'result':
      heard.result = message;
      heard.usage.onResult(message);
      return true;
    default:
      return false;
  }
}

function hearAssistant(heard: ClaudeState, message: Fields): boolean {
  if (isSynthetic(message)) {
    heard.error = textOf(message['error']) || heard.error;
    return false;
  }
  heard.error = null;
  heard.hasAnswered = true;
  heard.usage.onModelMessage(fieldsOf(message['message']));
  return true;
}

function hearRateLimit(heard: ClaudeState, info: Fields): void {
  const resetsAt = numberOf(info['resetsAt']);
  heard.limitResetAt = info['status'] === 'rejected' && resetsAt > 0 ? Math.round(resetsAt * 1_000) : null;
}
