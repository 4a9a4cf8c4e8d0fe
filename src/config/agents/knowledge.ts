// What clients do not tell about money and limits. Providers change both without asking: the dates say when this was true.
import type { AgentKnowledge, ModelPrice } from '#kernel/model/config.ts';
import { clientNames, knownClients } from './clients.ts';

/** List prices in USD per million tokens, as known in November 2026; `prices` of the configuration adds to them and wins. */
const prices = Object.fromEntries<ModelPrice>(
  clientNames.flatMap((name) => Object.entries(knownClients[name].prices)),
);

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
