// Sums the usage that the endpoint reports, request by request.
import { allTokens, priceOf } from '#agents/shared/pricing.ts';
import type { Usage } from '#kernel/model/budget.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { ReplyUsage } from './chat.ts';
import type { Endpoint } from './endpoint.ts';

export interface Tally {
  add(used: ReplyUsage): void;
  /** Unknown, not zero, until some usage was reported. */
  usage(): Usage;
}

export function createTally(knowledge: AgentKnowledge, { model, isFree }: Endpoint): Tally {
  let tokens: number | null = null;
  let usd: number | null = isFree ? 0 : null;
  let isPriceKnown = true;
  return {
    add: ({ tokens: count, costUsd }) => {
      tokens = (tokens ?? 0) + allTokens(count);
      const cost = costUsd ?? priceOf(knowledge, model, count) ?? (isFree ? 0 : null);
      // A sum with a gap would look complete.
      if (cost === null) isPriceKnown = false;
      else usd = (usd ?? 0) + cost;
    },
    usage: () => ({ usd: isPriceKnown ? usd : null, tokens }),
  };
}
