// The known clients of `agents/clients.ts`, and which of them an agent starts.
import * as clients from '#agents/clients.ts';
import type { ClientFacts } from '#agents/shared/client-facts.ts';
import type { AgentConfig } from '#kernel/model/config.ts';

export type ClientName = keyof typeof clients;

export const knownClients: { readonly [name in ClientName]: ClientFacts } = clients;
export const clientNames = Object.keys(clients) as readonly ClientName[];

const named = new RegExp(String.raw`^(?:@[\w.-]+\/)?(${clientNames.join('|')})\b`);

/** The client that an agent starts; null for an unknown one. */
export function clientOf({ driver, options }: AgentConfig): ClientName | null {
  const own = clientNames.find((name) => name === driver && knownClients[name].agent.driver === driver);
  if (own !== undefined || driver !== 'acp') return own ?? null;
  const command = options['command'];
  const words = typeof command === 'string' ? command.split(/\s+/) : Array.isArray(command) ? command : [];
  for (const word of words.slice(0, 4)) {
    const found = named.exec(String(word).replace(/^.*[/\\]/, ''))?.[1];
    if (found !== undefined) return found as ClientName;
  }
  return null;
}
