// What clients do not tell about money and limits. Providers change both without asking: the dates say when this was true.
import type { AgentKnowledge, ModelPrice } from '#kernel/config.ts';

/** List prices in USD per million tokens, as known in November 2026; `prices` of the configuration adds to them and wins. */
const prices: { readonly [model: string]: ModelPrice } = {
  'claude-opus-*': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-sonnet-*': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-*': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'gpt-5*': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 1.25 },
  'gpt-5-mini*': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0.25 },
  'gpt-5-nano*': { input: 0.05, output: 0.4, cacheRead: 0.005, cacheWrite: 0.05 },
  'gemini-2.5-pro*': { input: 1.25, output: 10, cacheRead: 0.31, cacheWrite: 1.25 },
  'gemini-2.5-flash*': { input: 0.3, output: 2.5, cacheRead: 0.075, cacheWrite: 0.3 },
};

/** Wordings seen in clients up to November 2026; `usageLimits` of the configuration adds to them. */
const usageLimitWordings: readonly string[] = [
  'usage limit reached',
  "you(?:'|’)?ve (?:hit|reached) your (?:usage|session|weekly|[0-9]+-hour) limit",
  'limit reached .{0,40}resets?',
  'exceeded your (?:current )?quota',
  'insufficient_quota',
  'rate_limit_exceeded.{0,80}try again in',
  'quota (?:will )?reset',
  'RESOURCE_EXHAUSTED',
  'usage_limit_reached',
];

export const defaultKnowledge: AgentKnowledge = { prices, usageLimitWordings };
