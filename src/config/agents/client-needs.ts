// Finds what an agent needs from the machine in a sandbox: hosts to call and folders of its login.
import { readFileSync } from 'node:fs';
import { isSet } from '#base/is-set.ts';
import { type ClientNeeds, noNeeds } from '#agents/shared/client-facts.ts';
import type { AgentConfig } from '#kernel/model/config.ts';
import type { Environment } from '#config/env-file.ts';
import { type ClientName, clientNames, clientOf, knownClients } from './clients.ts';
import { driverFacts } from './known-agents.ts';

/** Null for an unknown agent: the user has to configure its needs. */
export function needsOf(agent: AgentConfig, env: Environment, home: string): ClientNeeds | null {
  if (driverFacts(agent.driver)?.needsNothing === true) return noNeeds;
  const name = clientOf(agent) ?? clientInCommand(agent);
  if (name === null) return null;
  const { settings, address, settingsFiles, needs } = knownClients[name];
  const { hosts, ...rest } = needs(env, home);
  const values = settings.map((one) => env[one]);
  const named = addressesIn([agent.options, ...values, ...settingsFiles(env, home).map(modelsIn)]);
  return { hosts: isSet(env[address]) ? named : [...hosts, ...named], ...rest };
}

/** Finds the client of a command: by its `output` language, or by its words. */
function clientInCommand(agent: AgentConfig): ClientName | null {
  if (agent.driver !== 'command') return null;
  const spoken = clientNames.find((name) => name === agent.options['output']);
  return spoken ?? clientOf({ ...agent, driver: 'acp' });
}

/** Only base URLs count: other addresses in such a file are pages, MCP servers and the like. */
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

/** `host:port` of every address anywhere in a value. */
export function addressesIn(value: unknown): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const urls = [...text.matchAll(/https?:\/\/[^\s"'<>\\,)|]+/g)].map(([url]) => URL.parse(url));
  const hosts = urls.flatMap((url) => {
    if (url === null || url.hostname === '') return [];
    return [`${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`];
  });
  return [...new Set(hosts)];
}
