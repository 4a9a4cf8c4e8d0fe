// Counts the usage of a session from the three places where agents report it.
import type { Usage } from '#kernel/model/budget.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import * as clients from '#agents/clients.ts';
import type { AcpUsage, ClientFacts } from '#agents/shared/client-facts.ts';
import { allTokens, priceOf, type TokenCount } from '#agents/shared/pricing.ts';
import { fieldsOf, numberOf, type Fields } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';

export interface UsageCount {
  /** `usage_update`: the cost of the whole conversation so far, including earlier sessions. */
  onUpdate(update: Fields): Usage | null;
  /** The reply to a prompt: the tokens of that turn. */
  onReply(reply: Fields): Usage | null;
  /** Usage reported until now belongs to the history; `before` is its last known cost. */
  begin(before: number | null): void;
  /** As the agent reported it, history included; null while it reported none. */
  readonly costSoFar: () => number | null;
  readonly usage: () => Usage;
}

export function createUsageCount(knowledge: AgentKnowledge, model: string | null): UsageCount {
  let cost: number | null = null;
  let costBefore = 0;
  let priced: number | null = null;
  let tokens: number | null = null;

  const usage = (): Usage => ({
    // A sum below the known one was restarted with this process.
    usd: cost === null ? priced : cost < costBefore ? cost : cost - costBefore,
    tokens,
  });
  return {
    onUpdate: (update) => {
      const { amount, currency } = fieldsOf(update['cost']);
      // Agents report zero when they know no price, or were cancelled before they counted.
      if (typeof amount !== 'number' || currency !== 'USD' || !(amount > (cost ?? 0))) return null;
      cost = amount;
      return usage();
    },
    onReply: (reply) => {
      const reported = tokensOf(reply);
      if (reported === null) return null;
      const sum = allTokens(reported);
      if (sum === 0) return null;
      tokens = (tokens ?? 0) + sum;
      const price = priceOf(knowledge, firstOf(({ modelIn }) => modelIn(reply)) ?? model, reported);
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

/** Reads the protocol's usage field, or one that a client defines for itself. */
function tokensOf(reply: Fields): TokenCount | null {
  const { usage } = reply;
  if (!isRecord(usage)) return firstOf(({ tokensIn }) => tokensIn(reply));
  return {
    input: numberOf(usage['inputTokens']),
    output: numberOf(usage['outputTokens']) + numberOf(usage['thoughtTokens']),
    cacheRead: numberOf(usage['cachedReadTokens']),
    cacheWrite: numberOf(usage['cachedWriteTokens']),
  };
}

function firstOf<T>(read: (usage: AcpUsage) => T | null): T | null {
  for (const { acpUsage } of Object.values<ClientFacts>(clients)) {
    const found = acpUsage === null ? null : read(acpUsage);
    if (found !== null) return found;
  }
  return null;
}
