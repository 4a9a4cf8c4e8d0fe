// What an agent needs of the machine to do its work in a sandbox: whom it asks, and where it keeps its login.
import { readFileSync } from 'node:fs';
import { isSet } from '#base/is-set.ts';
import { type ClientNeeds, noNeeds } from '#agents/shared/client-facts.ts';
import type { AgentConfig } from '#kernel/model/config.ts';
import type { Environment } from '#config/env-file.ts';
import { type ClientName, clientNames, clientOf, knownClients } from './clients.ts';
import { driverFacts } from './known-agents.ts';

/** Null for an agent that we know nothing of: somebody has to say what it needs. */
export function needsOf(agent: AgentConfig, env: Environment, home: string): ClientNeeds | null {
  if (driverFacts(agent.driver)?.needsNothing === true) return noNeeds;
  const name = clientOf(agent) ?? clientInCommand(agent);
  if (name === null) return null;
  const { settings, address, settingsFiles, needs } = knownClients[name];
  const { hosts, ...rest } = needs(env, home);
  const said = settings.map((one) => env[one]);
  const named = addressesIn([agent.options, ...said, ...settingsFiles(env, home).map(modelsIn)]);
  return { hosts: isSet(env[address]) ? named : [...hosts, ...named], ...rest };
}

/** A command says which client it starts: by the language that is read from it, or by its words. */
function clientInCommand(agent: AgentConfig): ClientName | null {
  if (agent.driver !== 'command') return null;
  const spoken = clientNames.find((name) => name === agent.options['output']);
  return spoken ?? clientOf({ ...agent, driver: 'acp' });
}

/** Other addresses in such a file are pages, servers of tools, whatever. */
function modelsIn(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/base_?url["']?\s*[:=]\s*["']?(https?:\/\/[^\s"',}]+)/gi)].map(
      ([, url]) => url ?? '',
    );
  } catch {
    return [];
  }
}

/** `host:port` of every address that stands anywhere in a value. */
export function addressesIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const urls = [...text.matchAll(/https?:\/\/[^\s"'<>\\,)|]+/g)].map(([url]) => URL.parse(url));
  const hosts = urls.flatMap((url) => {
    if (url === null || url.hostname === '') return [];
    return [`${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`];
  });
  return [...new Set(hosts)];
}
