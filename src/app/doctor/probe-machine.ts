import type { Probe } from '#adapters/machine/probe.ts';
import { definedOnly } from '#config/env-file.ts';
import { stateHome } from '#app/state-home.ts';

export type { Probe } from '#adapters/machine/probe.ts';

/** What this machine has and supports; works outside a repository too. */
export async function probe(variables: { readonly [name: string]: string | undefined }): Promise<Probe> {
  const { probeMachine } = await import('#adapters/machine/probe.ts');
  const { clientNames } = await import('#config/agents/clients.ts');
  const { programsOnPath } = await import('#config/agents/programs.ts');
  const env = definedOnly(variables);
  const clients = await programsOnPath(clientNames, env);
  return probeMachine({ env, stateHome: stateHome(env), clients });
}
