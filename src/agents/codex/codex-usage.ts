// Codex counts tokens over a whole thread, including the part before we resumed it: ours is the difference.
import type { Usage } from '#kernel/model/budget.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { allTokens, priceOf, type TokenCount } from '#agents/shared/pricing.ts';
import { fieldsOf } from '#agents/shared/json.ts';

export const noTokens: TokenCount = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Both spellings: `inputTokens` of the app-server, `input_tokens` of `exec --json`. */
export function readTokens(value: unknown): TokenCount {
  const fields = fieldsOf(value);
  const count = (name: string, other: string): number => {
    const found = fields[name] ?? fields[other];
    return typeof found === 'number' && found > 0 ? found : 0;
  };
  const cacheRead = count('cachedInputTokens', 'cached_input_tokens');
  const cacheWrite = count('cacheWriteInputTokens', 'cache_write_input_tokens');
  const whole = count('inputTokens', 'input_tokens');
  return {
    input: Math.max(0, whole - cacheRead - cacheWrite),
    output: count('outputTokens', 'output_tokens'),
    cacheRead,
    cacheWrite,
  };
}

export function usageOf(knowledge: AgentKnowledge, model: string | null, tokens: TokenCount): Usage {
  return { usd: priceOf(knowledge, model, tokens), tokens: allTokens(tokens) };
}

export function plus(a: TokenCount, b: TokenCount): TokenCount {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

export function minus(a: TokenCount, b: TokenCount): TokenCount {
  return {
    input: Math.max(0, a.input - b.input),
    output: Math.max(0, a.output - b.output),
    cacheRead: Math.max(0, a.cacheRead - b.cacheRead),
    cacheWrite: Math.max(0, a.cacheWrite - b.cacheWrite),
  };
}

/** Usage after `before`; a sum below it was restarted. */
export function since(before: TokenCount, now: TokenCount): TokenCount {
  return allTokens(now) < allTokens(before) ? now : minus(now, before);
}

/** In the form that is stored between sessions. */
export function countsOf({ input, output, cacheRead, cacheWrite }: TokenCount): readonly number[] {
  return [input, output, cacheRead, cacheWrite];
}

export function readCounts(counts: readonly number[] | null): TokenCount | null {
  const [input, output, cacheRead, cacheWrite] = counts ?? [];
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite === undefined)
    return null;
  return { input, output, cacheRead, cacheWrite };
}

export interface ThreadUsage {
  /** `total` is the usage of the thread so far, `last` that of its newest request. */
  reported(threadId: string, isBefore: boolean, tokenUsage: unknown): void;
  tokens(): TokenCount;
}

/** `isResumed`: the main thread has a past that is not ours. Threads of its subagents have none. */
export function createThreadUsage(mainThread: () => string, isResumed: boolean): ThreadUsage {
  const pasts = new Map<string, TokenCount>();
  const ours = new Map<string, TokenCount>();
  return {
    reported: (threadId, isBefore, tokenUsage) => {
      const { total, last } = fieldsOf(tokenUsage);
      const now = readTokens(total);
      const isMain = threadId === mainThread();
      if (isBefore && isMain) {
        pasts.set(threadId, now);
        return;
      }
      if (!pasts.has(threadId)) {
        pasts.set(threadId, isMain && isResumed ? minus(now, readTokens(last)) : noTokens);
      }
      ours.set(threadId, minus(now, pasts.get(threadId) ?? noTokens));
    },
    tokens: () => [...ours.values()].reduce(plus, noTokens),
  };
}
