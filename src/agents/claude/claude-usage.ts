// Counts the usage of this session alone: Claude Code reports sums that include a resumed history.
import { unknownUsage, type Usage } from '#kernel/model/budget.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import { allTokens, priceOf, type TokenCount } from '#agents/shared/pricing.ts';
import { numberOf, textOf, fieldsOf, type Fields } from '#agents/shared/json.ts';

export interface UsageTally {
  /** A model message: usage that is known before the client reports its sum. */
  onModelMessage(message: Fields): void;
  onResult(result: Fields): void;
  usage(): Usage;
}

interface Sum {
  readonly tokens: number;
  readonly usd: number | null;
}

const nothing: Sum = { tokens: 0, usd: 0 };
/** Messages that may still grow: a few at a time, when subagents work in parallel. */
const growingMax = 64;

export function createUsageTally(knowledge: AgentKnowledge, isResumed: boolean): UsageTally {
  /** The client's own sum. */
  let settled: Sum = nothing;
  /** Messages since that sum that are complete. */
  let whole: Sum = nothing;
  /** The newest messages since that sum; one message comes in several pieces, each with its count so far. */
  const growing = new Map<string, Sum>();
  let reported: Usage = unknownUsage;

  const openSum = (): Sum => growing.values().reduce(add, whole);
  const settleOldest = (): void => {
    const [oldest] = growing;
    if (oldest === undefined) return;
    growing.delete(oldest[0]);
    whole = add(whole, oldest[1]);
  };
  const report = (): void => {
    const sum = add(settled, openSum());
    reported = { tokens: Math.max(reported.tokens ?? 0, sum.tokens), usd: sum.usd };
  };
  return {
    onModelMessage: (message) => {
      const model = textOf(message['model']);
      const count = countOf(fieldsOf(message['usage']));
      const id = textOf(message['id']);
      // Deleted first, so that the oldest entry is the one that has not grown for longest.
      growing.delete(id);
      growing.set(id, { tokens: allTokens(count), usd: priceOf(knowledge, model, count) });
      if (growing.size > growingMax) settleOldest();
      report();
    },
    onResult: (result) => {
      const counted = openSum();
      const since = result['model_usage_since_last_result'];
      if (since !== undefined) settled = add(settled, larger(sumOf(fieldsOf(since)), counted));
      else if (isResumed) settled = add(settled, counted);
      else settled = larger(sumOf(fieldsOf(result['modelUsage'])), add(settled, counted));
      growing.clear();
      whole = nothing;
      report();
    },
    usage: () => reported,
  };
}

/** A client that failed early reports a sum of zero although it has worked. */
function larger(claimed: Sum, counted: Sum): Sum {
  return claimed.tokens >= counted.tokens ? claimed : counted;
}

function add(one: Sum, other: Sum): Sum {
  return {
    tokens: one.tokens + other.tokens,
    usd: one.usd === null || other.usd === null ? null : one.usd + other.usd,
  };
}

function countOf(usage: Fields): TokenCount {
  return {
    input: numberOf(usage['input_tokens']),
    output: numberOf(usage['output_tokens']),
    cacheRead: numberOf(usage['cache_read_input_tokens']),
    cacheWrite: numberOf(usage['cache_creation_input_tokens']),
  };
}

/** Per model, as the client sums it up. */
function sumOf(models: Fields): Sum {
  const names = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];
  return Object.values(models)
    .map((model) => fieldsOf(model))
    .map((model) => ({
      tokens: names.reduce((sum, name) => sum + numberOf(model[name]), 0),
      usd: numberOf(model['costUSD']),
    }))
    .reduce(add, nothing);
}
