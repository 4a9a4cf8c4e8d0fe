import type { AgentKnowledge } from '#kernel/model/config.ts';
import { edgesOf, readResetTime } from './reset-time.ts';

export interface LimitSources {
  readonly headers?: { readonly [name: string]: string };
  readonly retryAfter?: string | null;
  readonly knowledge: AgentKnowledge;
  readonly now: number;
}

/** Null when it says nothing of a usage limit; `resetAt` is epoch ms after `now`, null when no known form tells it. */
export function readUsageLimit(
  text: string,
  sources: LimitSources,
): { readonly resetAt: number | null } | null {
  const { knowledge, ...rest } = sources;
  if (!saysLimit(edgesOf(text), knowledge.usageLimitWordings) && !isRejected(sources.headers)) return null;
  return { resetAt: readResetTime({ text, ...rest }) };
}

function saysLimit(text: string, wordings: readonly string[]): boolean {
  return wordings.some((wording) => patternOf(wording)?.test(text) === true);
}

/** The user writes some of them; one that is no regular expression is looked for as it stands. */
function patternOf(wording: string): RegExp | null {
  try {
    return new RegExp(wording, 'is');
  } catch {
    return new RegExp(wording.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'i');
  }
}

/** A subscription's own word for it, whatever the message says. */
function isRejected(headers: LimitSources['headers']): boolean {
  return Object.entries(headers ?? {}).some(
    ([name, value]) => name.toLowerCase() === 'anthropic-ratelimit-unified-status' && value === 'rejected',
  );
}
