// Prices and limit wordings that clients do not report, dated, because providers change both.
import type { AgentKnowledge, ModelPrice } from '#kernel/model/config.ts';
import { clientNames, knownClients } from './clients.ts';

/** USD per million tokens, as of November 2026; `prices` of the configuration adds and wins. */
const prices = Object.fromEntries<ModelPrice>(
  clientNames.flatMap((name) => Object.entries(knownClients[name].prices)),
);

/** Wordings seen in clients up to November 2026; `usageLimit.patterns` adds to them. */
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
