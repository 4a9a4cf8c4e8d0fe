// Classifies errors for all drivers: the kernel retries, parks or gives up by the class alone.
import { isTransient, type SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { edgesOf, readResetTime, type ResetSources } from './reset-time.ts';

export interface ErrorSources extends ResetSources {
  /** HTTP status if the client reports it; otherwise it is searched in the text. */
  readonly status?: number;
  readonly knowledge: AgentKnowledge;
}

export interface ClassifiedError {
  readonly errorClass: SessionErrorClass;
  /** Only for a usage limit with a known end. */
  readonly resetAt?: number;
}

/** A provider that asks to wait longer than this means a quota, not a busy minute. */
const shortMsMax = 5 * 60_000;

const overflow =
  /context[ _-]?(?:length|window|size)|maximum context|(?:prompt|input|request|conversation) (?:is |was )?too (?:long|large)|context_length_exceeded|prompt_too_long|input token count.{0,40}exceed|exceeds? the (?:available |model.s )?(?:context|maximum number of tokens)|too many (?:input )?tokens in|reduce the length of|no user query found in messages/i;
const authentication =
  /invalid (?:x-)?api[ _-]?key|incorrect api key|api[ _-]?key not (?:valid|found)|no api key|missing.{0,20}api key|authentication[_ ](?:error|failed)|authentication_failed|not logged in|please (?:run )?\/?log ?in|unauthori[sz]ed|unauthenticated|oauth token|token (?:has )?expired|permission_denied|login required|invalid bearer/i;
const credit =
  /credit balance is too low|insufficient (?:credits?|funds|balance)|payment required|out of credits?/i;
const unknownModel =
  /model[ _]not[ _]found|(?:unknown|no such|invalid) model|model\b.{0,80}(?:not found|(?:does not|doesn't) exist|not available|not supported|not accessible|do(?:es)? not have access)|not_found_error.{0,40}model/is;
const refusal =
  /content[_ ](?:filter|policy)|safety (?:system|filter|settings|reasons)|violat\w* .{0,40}polic|usage polic|model.{0,20}refus|prohibited_content|\brefusal\b/i;
const network =
  /ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR|fetch failed|socket hang up|network (?:error|is unreachable)|connection (?:error|refused|reset|closed|lost|timed out)|stream (?:disconnected|closed|ended|was cut|error)|(?:premature|unexpected) (?:close|end of)|getaddrinfo|dns error|error sending request|certificate|timed? ?out/i;
const overloaded =
  /overloaded|server[_ ]error|internal (?:server )?error|bad gateway|(?:service|temporarily) unavailable|gateway time-?out|too many requests|rate.?limit|at capacity|try again later/i;
const busy =
  /too many|per (?:second|minute)|slow down|concurren|\bbusy\b|again|retry|temporar|throttl|exceed/i;
const invalidRequest = /invalid[_ ]request|bad request|invalid_argument|unprocessable/i;

export function classifyError(input: ErrorSources): ClassifiedError {
  const text = edgesOf(input.text);
  const sources = { ...input, text };
  const status = input.status ?? statusIn(text);
  if (status === 401) return { errorClass: 'authentication' };
  if (status !== 429 && overflow.test(text)) return { errorClass: 'context-overflow' };
  const limit = limitOf(sources, status);
  if (limit !== null) return limit;
  return { errorClass: byStatus(status, text) ?? byWords(text) };
}

/**
 * Classifies a refusal to continue a conversation: the conversation is gone, unless the error would hit a new
 * conversation as well.
 */
export function classifyRefusedResume(input: ErrorSources): ClassifiedError {
  const classified = classifyError(input);
  const isOther = isTransient(classified.errorClass) || classified.errorClass === 'authentication';
  return isOther ? classified : { errorClass: 'conversation-gone' };
}

/** By its wording, by a payment that is due, or by a reset so far away that nothing else explains it. */
function limitOf(sources: ErrorSources, status: number | undefined): ClassifiedError | null {
  const { text, knowledge, ...rest } = sources;
  const limit = readUsageLimit(text, { knowledge, ...rest });
  if (limit !== null) return withReset(limit.resetAt);
  if (status === 402 || credit.test(text)) return withReset(null);
  if (status !== 429) return null;
  const resetAt = readResetTime({ text, ...rest });
  if (resetAt === null) return isUnknownWording(text) ? withReset(null) : null;
  return resetAt - sources.now > shortMsMax ? withReset(resetAt) : null;
}

/** No table has every wording: a 429 with a text, but no hint of a busy moment, counts as a limit. */
function isUnknownWording(text: string): boolean {
  const limit = text.replaceAll(/<[^>]{0,200}>/g, ' ');
  return /\p{L}{3}/u.test(limit) && !busy.test(limit) && !overloaded.test(limit);
}

function withReset(resetAt: number | null): ClassifiedError {
  return { errorClass: 'usage-limit', ...(resetAt !== null && { resetAt }) };
}

function byStatus(status: number | undefined, text: string): SessionErrorClass | null {
  if (status === undefined) return null;
  if (status === 429 || status >= 500) return 'overloaded';
  if (status === 413) return 'context-overflow';
  if (status === 408) return 'network';
  if (status < 400) return null;
  if (refusal.test(text)) return 'refusal';
  if (status === 403 || authentication.test(text)) return 'authentication';
  return unknownModel.test(text) ? 'unknown-model' : 'invalid-request';
}

const byWordsInOrder: readonly (readonly [RegExp, SessionErrorClass])[] = [
  [authentication, 'authentication'],
  [unknownModel, 'unknown-model'],
  [refusal, 'refusal'],
  [network, 'network'],
  [overloaded, 'overloaded'],
  [invalidRequest, 'invalid-request'],
];

function byWords(text: string): SessionErrorClass {
  return byWordsInOrder.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}

/** "API Error: 529 …", "unexpected status 401 Unauthorized", `"code": 503` */
function statusIn(text: string): number | undefined {
  const found =
    /\b(?:error|status|code|http(?:\/\d(?:\.\d)?)?)\b["')\s:=]{0,4}(?:code\s*)?([45]\d\d)\b/i.exec(text);
  return found === null ? undefined : Number(found[1]);
}

/** Null if there is no usage limit; `resetAt` is epoch ms after `now`, null if no known form gives it. */
export function readUsageLimit(
  text: string,
  sources: Omit<ErrorSources, 'text' | 'status'>,
): { readonly resetAt: number | null } | null {
  const { knowledge, ...rest } = sources;
  if (!namesLimit(edgesOf(text), knowledge.usageLimitWordings) && !isRejected(sources.headers)) return null;
  return { resetAt: readResetTime({ text, ...rest }) };
}

function namesLimit(text: string, wordings: readonly string[]): boolean {
  return wordings.some((wording) => patternOf(wording).test(text));
}

/** The user writes some of them; an invalid regular expression is searched literally. */
function patternOf(wording: string): RegExp {
  try {
    return new RegExp(wording, 'is');
  } catch {
    return new RegExp(wording.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'i');
  }
}

/** A subscription's own field for a limit, regardless of the message. */
function isRejected(headers: ResetSources['headers']): boolean {
  return Object.entries(headers ?? {}).some(
    ([name, value]) => name.toLowerCase() === 'anthropic-ratelimit-unified-status' && value === 'rejected',
  );
}
