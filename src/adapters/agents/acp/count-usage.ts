// What a session used, from the three places where agents tell it.
import type { Usage } from '#kernel/budget.ts';
import type { AgentKnowledge } from '#kernel/config.ts';
import { priceOf } from '#adapters/agents/pricing.ts';
import { fieldsOf, isFields, listOf } from '#adapters/agents/json-rpc.ts';
import type { Fields } from '#adapters/agents/json-rpc.ts';

export interface UsageCount {
  /** `usage_update`: the cost of the whole session so far, also of what came before ours. */
  onUpdate(update: Fields): Usage | null;
  /** The reply to a prompt: the tokens of that turn. */
  onReply(reply: Fields): Usage | null;
  /** What was told until now belongs to the history; `before` is what it had cost when we last heard of it. */
  begin(before: number | null): void;
  /** As the agent told it, with the history; null while it told none. */
  readonly costSoFar: () => number | null;
  readonly usage: () => Usage;
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export function createUsageCount(knowledge: AgentKnowledge, model: string | null): UsageCount {
  let cost: number | null = null;
  let costBefore = 0;
  let priced: number | null = null;
  let tokens: number | null = null;

  const usage = (): Usage => ({
    // A sum below the one that we know began anew with this process.
    usd: cost === null ? priced : cost < costBefore ? cost : cost - costBefore,
    tokens,
  });
  return {
    onUpdate: (update) => {
      const { amount, currency } = fieldsOf(update['cost']);
      // Zero is what agents tell when they know no price, or were cancelled before they counted.
      if (typeof amount !== 'number' || currency !== 'USD' || !(amount > (cost ?? 0))) return null;
      cost = amount;
      return usage();
    },
    onReply: (reply) => {
      const told = tokensOf(reply);
      if (told === null) return null;
      const sum = told.input + told.output + told.cacheRead + told.cacheWrite;
      if (sum === 0) return null;
      tokens = (tokens ?? 0) + sum;
      const price = priceOf(knowledge, modelIn(reply) ?? model, told);
      if (price !== null) priced = (priced ?? 0) + price;
      return usage();
    },
    begin: (before) => {
      costBefore = cost ?? before ?? 0;
    },
    costSoFar: () => cost,
    usage,
  };
}

/** The protocol's own place, and the one that Gemini uses. */
function tokensOf(reply: Fields): Tokens | null {
  const { usage } = reply;
  if (isFields(usage)) {
    return {
      input: numberOf(usage['inputTokens']),
      output: numberOf(usage['outputTokens']) + numberOf(usage['thoughtTokens']),
      cacheRead: numberOf(usage['cachedReadTokens']),
      cacheWrite: numberOf(usage['cachedWriteTokens']),
    };
  }
  const count = fieldsOf(quotaOf(reply)['token_count']);
  if (typeof count['input_tokens'] !== 'number') return null;
  return {
    input: count['input_tokens'],
    output: numberOf(count['output_tokens']),
    cacheRead: 0,
    cacheWrite: 0,
  };
}

function modelIn(reply: Fields): string | null {
  const [first] = listOf(quotaOf(reply)['model_usage']);
  return typeof first?.['model'] === 'string' ? first['model'] : null;
}

function quotaOf(reply: Fields): Fields {
  return fieldsOf(fieldsOf(reply['_meta'])['quota']);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
