// The built-in agents, and the facts about the drivers of all others.
import * as drivers from '#agents/drivers.ts';
import { providers } from '#agents/openai/facts.ts';
import type { DriverFacts } from '#agents/shared/driver-facts.ts';
import type { AgentEntry } from '#config/layers.ts';
import { clientNames, knownClients } from './clients.ts';

/** By the name that follows `--agent`. An agent of the same name in the configuration wins. */
export const builtInAgents: { readonly [name: string]: AgentEntry } = {
  ...Object.fromEntries(clientNames.map((name) => [name, knownClients[name].agent])),
  /** The session that a person has open already; its run is started from there. */
  interactive: { driver: 'foreign' },
  ...Object.fromEntries(
    Object.entries(providers).map(([provider, { apiKeyEnv }]) => [
      provider,
      { driver: 'openai', provider, ...(apiKeyEnv !== null && { apiKeyEnv }) },
    ]),
  ),
};

export const driverNames: readonly string[] = Object.keys(drivers);

/** Null for an unknown driver, and for the session of a person, which has no driver of ours. */
export function driverFacts(driver: string): DriverFacts | null {
  const known: { readonly [name: string]: DriverFacts } = drivers;
  return Object.hasOwn(known, driver) ? (known[driver] ?? null) : null;
}

/** A program that prints plain text gives verdicts only if its entry says so; a coding agent always does. */
export function givesVerdicts({ driver, output = 'text', verdicts }: AgentEntry): boolean {
  return verdicts === true || driver !== 'command' || output !== 'text';
}
