// The facts that `doctor` prints about each built-in agent: how to install it, how to log in, what it can do.
import { type ProviderFacts, providers } from '#agents/openai/facts.ts';
import type { Abilities } from '#agents/shared/client-facts.ts';
import { fewAbilities } from '#agents/shared/driver-facts.ts';
import type { Resumes } from '#ports/agent.ts';
import { type ClientName, clientNames, knownClients } from './clients.ts';
import { driverFacts } from './known-agents.ts';

export interface GuideEntry {
  readonly title: string;
  /** Null for a server that is called over the network. */
  readonly client: ClientName | null;
  /** Null if nothing has to be installed. */
  readonly install: string | null;
  /** Log in, start the server, or set the key. */
  readonly begin: string;
  /** The variable with the key, for a provider that is paid by one. */
  readonly keyEnv?: string;
  readonly can: Abilities;
}

export const agentGuide: { readonly [name: string]: GuideEntry } = Object.fromEntries([
  ...clientNames.map((name) => [name, clientGuide(name)] as const),
  ...Object.entries(providers).map(([name, facts]) => [name, providerGuide(facts)] as const),
]);

/** The abilities of a configured agent whose client is unknown. */
export function abilitiesOf(driver: string): Abilities {
  return driverFacts(driver)?.can ?? fewAbilities;
}

/** Whether an agent continues a conversation by its client's own id, known before the start. */
export function resumesOf(driver: string): Resumes {
  return driverFacts(driver)?.resumes ?? 'no';
}

function clientGuide(client: ClientName): GuideEntry {
  const { title, install, howToLogIn: begin, can } = knownClients[client];
  return { title, client, install, begin, can };
}

function providerGuide({ title, install, begin, apiKeyEnv }: ProviderFacts): GuideEntry {
  const can = abilitiesOf('openai');
  return { title, client: null, install, begin, ...(apiKeyEnv !== null && { keyEnv: apiKeyEnv }), can };
}
