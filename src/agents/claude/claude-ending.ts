// Decides how a session ended: from the client's last result, or without one from how its process ended.
import { describeProcessEnding, type ProcessEnding, type SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { classifyError, type ClassifiedError } from '#agents/shared/error-class.ts';
import type { ClaudeState } from './claude-state.ts';
import type { Outcome } from '#agents/shared/outcome.ts';
import { bounded, valuesOf, textOf, type Fields } from '#agents/shared/json.ts';

export interface Ended {
  readonly state: ClaudeState;
  readonly ending: ProcessEnding;
  readonly isInterrupted: boolean;
  readonly wantsOutput: boolean;
  readonly knowledge: AgentKnowledge;
  readonly now: number;
}

const detailMax = 600;

export function endingOf(ended: Ended): Outcome {
  const { state, isInterrupted } = ended;
  const { result, sessionId } = state;
  if (result === null) return withoutResult(ended);
  const isBad = result['is_error'] === true || result['subtype'] !== 'success';
  if (isBad && isInterrupted && wasAborted(result) && sessionId !== null) {
    return { kind: 'interrupted', resumeId: sessionId };
  }
  if (isBad) return failed(result, ended);
  if (ended.wantsOutput && result['structured_output'] === undefined) {
    return other('it gave no structured output although it was asked for one');
  }
  return { kind: 'finished' };
}

function wasAborted(result: Fields): boolean {
  const reason = textOf(result['terminal_reason']);
  return reason.startsWith('aborted') || result['subtype'] === 'error_during_execution';
}

/** Without an interrupt or a lost session, an early exit with a reason is a failure, and all else a crash. */
function withoutResult({ state, ending, isInterrupted, knowledge, now }: Ended): Outcome {
  const { complaint, sessionId } = state;
  if (isInterrupted && sessionId !== null && ending.kind !== 'cancelled') {
    return { kind: 'interrupted', resumeId: sessionId };
  }
  const text = bounded(complaint.trim(), detailMax);
  if (isGone(text, state)) return { kind: 'failed', errorClass: 'conversation-gone', detail: text };
  if (ending.kind === 'exited' && ending.code !== 0 && sessionId === null && text !== '') {
    const { errorClass, ...rest } = classifyError({ text, knowledge, now });
    return {
      kind: 'failed',
      errorClass: errorClass === 'other' ? 'invalid-request' : errorClass,
      ...rest,
      detail: text,
    };
  }
  const detail = `the client left no result (${describeProcessEnding(ending)})`;
  return { kind: 'crashed', detail: text === '' ? detail : `${detail}: ${text}` };
}

function failed(result: Fields, { state, knowledge, now }: Ended): Outcome {
  const text = wordsOf(result, state);
  switch (result['subtype']) {
    case 'error_max_turns':
    case 'error_max_budget_usd':
    case 'error_max_structured_output_retries':
      return other(text);
    default: {
      const found = classOf(result, text, { state, knowledge, now });
      const isLost = isGone(text, state) || isNeverBegun(result, found, state);
      const classified: ClassifiedError = isLost ? { errorClass: 'conversation-gone' } : found;
      return {
        kind: 'failed',
        ...classified,
        detail: bounded(text, detailMax) + fixFor(classified.errorClass),
      };
    }
  }
}

/** The client's wording, on standard error or in its result. As of 2.1.325. */
const goneWords =
  /no conversation found|no such session|session\b.{0,80}\bnot found|--resume requires a valid session/i;

function isGone(text: string, { isResumed, hasAnswered }: ClaudeState): boolean {
  return isResumed && !hasAnswered && goneWords.test(text);
}

/** Wording changes: a failure before a conversation, with no other cause named, means not found. */
function isNeverBegun(
  result: Fields,
  { errorClass }: ClassifiedError,
  { isResumed, isIntroduced, hasAnswered }: ClaudeState,
): boolean {
  const isAtStart = result['subtype'] === 'error_during_execution' && errorClass === 'other';
  return isResumed && !isIntroduced && !hasAnswered && isAtStart;
}

function wordsOf(result: Fields, state: ClaudeState): string {
  const errors = valuesOf(result['errors'])
    .map((error) => textOf(error))
    .join('; ');
  return textOf(result['result']) || errors || state.complaint.trim() || 'it gave no reason';
}

/** The client's names for provider errors; others are classified by status and text. */
const byName: { readonly [name: string]: SessionErrorClass } = {
  authentication_failed: 'authentication',
  oauth_org_not_allowed: 'authentication',
  account_on_hold: 'authentication',
  verification_required: 'authentication',
  cloud_credential_error: 'authentication',
  model_not_found: 'unknown-model',
  overloaded: 'overloaded',
};

function classOf(
  result: Fields,
  text: string,
  { state, knowledge, now }: Pick<Ended, 'state' | 'knowledge' | 'now'>,
): ClassifiedError {
  if (result['terminal_reason'] === 'prompt_too_long') return { errorClass: 'context-overflow' };
  if (result['stop_reason'] === 'refusal') return { errorClass: 'refusal' };
  if (state.error === 'rate_limit' && state.limitResetAt !== null) {
    return { errorClass: 'usage-limit', resetAt: state.limitResetAt };
  }
  const named = byName[state.error ?? ''];
  if (named !== undefined) return { errorClass: named };
  const status = result['api_error_status'];
  return classifyError({ ...(typeof status === 'number' && { status }), text, knowledge, now });
}

function fixFor(errorClass: SessionErrorClass): string {
  switch (errorClass) {
    case 'authentication':
      return '. Log in by starting `claude` and typing /login, or let this agent see a valid ANTHROPIC_API_KEY.';
    case 'unknown-model':
      return '. Name a model that this account has, for example --agent claude:opus.';
    default:
      return '';
  }
}

function other(detail: string): Outcome {
  return { kind: 'failed', errorClass: 'other', detail: bounded(detail, detailMax) };
}
