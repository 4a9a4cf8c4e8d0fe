import type { Probe } from '#adapters/machine/probe.ts';
import { definedOnly } from '#config/env-file.ts';
import { stateHome } from '#app/state-home.ts';

export type { Probe } from '#adapters/machine/probe.ts';

/** What this machine has and supports; works outside a repository too. */
export async function probe(variables: { readonly [name: string]: string | undefined }): Promise<Probe> {
  const { probeMachine } = await import('#adapters/machine/probe.ts');
  const { clientsOnPath } = await import('#config/agents/agents.ts');
  const env = definedOnly(variables);
  return probeMachine({ env, stateHome: stateHome(env), clients: await clientsOnPath(env) });
}
