// Maps a codex error to the class that the kernel acts on, and to a sentence for people.
import type { SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { classifyError, type ClassifiedError } from '#agents/shared/error-class.ts';
import { readResetTime } from '#agents/shared/reset-time.ts';
import { cut } from '#agents/shared/client-words.ts';
import { fieldsOf, textOf } from '#agents/shared/json.ts';
import { parseRecord } from '#base/parse-json.ts';

export interface CodexError {
  readonly message: string;
  /** `codexErrorInfo` of the app-server: a word, or a word with a status. Null from `exec --json`. */
  readonly info: unknown;
}

export interface ErrorContext {
  readonly knowledge: AgentKnowledge;
  readonly now: number;
  /** When the used-up windows reset, if codex has reported it. */
  readonly windowResetAt: number | null;
}

export interface CodexFailure extends ClassifiedError {
  readonly kind: 'failed';
  readonly detail: string;
}

const byWord: { readonly [word: string]: SessionErrorClass } = {
  contextWindowExceeded: 'context-overflow',
  serverOverloaded: 'overloaded',
  internalServerError: 'overloaded',
  rateLimitExceeded: 'overloaded',
  flexUnavailable: 'overloaded',
  policyCapacityUnavailable: 'overloaded',
  modelNotFound: 'unknown-model',
  cyberPolicy: 'refusal',
  misalignmentPolicyViolation: 'refusal',
  unauthorized: 'authentication',
};

/** Codex replaces the provider's wording by its own; `exec --json` reports nothing else. As of 0.166. */
const byOwnWords: readonly (readonly [RegExp, SessionErrorClass])[] = [
  [/missing environment variable|not logged in/i, 'authentication'],
  [/^quota exceeded/i, 'usage-limit'],
  [/experiencing high demand|model is at capacity/i, 'overloaded'],
  [/ran out of room in the model.s context/i, 'context-overflow'],
];

const detailLengthMax = 600;
export const loginFix =
  'Log in with `codex login`, or name the variable that holds the key in "env" of this agent.';

export function failureOf(error: CodexError, context: ErrorContext): CodexFailure {
  const classified = classify(error, context);
  const message = cut(plainOf(error.message), detailLengthMax);
  const detail = classified.errorClass === 'authentication' ? `${message} ${loginFix}` : message;
  return { kind: 'failed', ...classified, detail };
}

/** A retry would fail the same way; codex itself retries ten times. */
export function isHopeless({ info }: CodexError): boolean {
  const status = statusOf(info);
  return status === 400 || status === 401 || status === 403 || status === 404;
}

function classify({ message, info }: CodexError, context: ErrorContext): ClassifiedError {
  const { knowledge, now, windowResetAt } = context;
  if (info === 'usageLimitExceeded') {
    const resetAt = windowResetAt ?? readResetTime({ text: message, now });
    return { errorClass: 'usage-limit', ...(resetAt !== null && { resetAt }) };
  }
  const known = typeof info === 'string' && Object.hasOwn(byWord, info) ? byWord[info] : undefined;
  if (known !== undefined) return { errorClass: known };
  const status = info === 'badRequest' ? 400 : statusOf(info);
  const found = classifyError({ text: message, knowledge, now, ...(status !== null && { status }) });
  if (found.errorClass === 'usage-limit' && found.resetAt === undefined && windowResetAt !== null) {
    return { ...found, resetAt: windowResetAt };
  }
  const own = byOwnWords.find(([pattern]) => pattern.test(message))?.[1];
  if (found.errorClass === 'other' && own !== undefined) return { errorClass: own };
  if (found.errorClass === 'other' && isConnection(info)) return { errorClass: 'network' };
  return found;
}

/** `{httpConnectionFailed: {httpStatusCode: 401}}` */
function statusOf(info: unknown): number | null {
  const [about] = Object.values(fieldsOf(info));
  const status = fieldsOf(about)['httpStatusCode'];
  return typeof status === 'number' ? status : null;
}

function isConnection(info: unknown): boolean {
  return ['httpConnectionFailed', 'responseStreamConnectionFailed', 'responseStreamDisconnected'].some(
    (word) => word in fieldsOf(info),
  );
}

/** Some messages are the provider's whole response. */
function plainOf(message: string): string {
  return textOf(fieldsOf(parseRecord(message)?.['error'])['message']) || message;
}
