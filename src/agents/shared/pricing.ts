import type { AgentKnowledge, ModelPrice } from '#kernel/model/config.ts';

export interface TokenCount {
  /** Without tokens that were read from a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export function allTokens({ input, output, cacheRead, cacheWrite }: TokenCount): number {
  return input + output + cacheRead + cacheWrite;
}

/** The cost of these tokens by the price list; null for a model that is not in it, never zero. */
export function priceOf(
  { prices }: AgentKnowledge,
  model: string | null,
  { input, output, cacheRead, cacheWrite }: TokenCount,
): number | null {
  const price = model === null ? null : findPrice(prices, model);
  if (price === null) return null;
  const perMillion =
    input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite;
  return perMillion / 1_000_000;
}

function findPrice(prices: AgentKnowledge['prices'], model: string): ModelPrice | null {
  if (Object.hasOwn(prices, model)) return prices[model] ?? null;
  const matching = Object.keys(prices)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .toSorted((a, b) => b.length - a.length);
  return prices[matching[0] ?? ''] ?? null;
}
