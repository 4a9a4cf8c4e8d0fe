// Reports on one agent for `doctor`: whether it is installed, what it can do, and who would pay.
import { readFile } from 'node:fs/promises';
import type { Probe } from '#adapters/machine/probe.ts';
import { type EnvironmentSpec, joinSpecs } from '#config/agents/agent-env.ts';
import type { Abilities } from '#agents/shared/client-facts.ts';
import type { AgentEntry } from '#config/layers.ts';
import { settlePayers } from '#config/agents/payer.ts';
import type { Payer, SandboxConfig } from '#kernel/model/config.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface AgentReport {
  readonly name: string;
  readonly title: string;
  /** `configured`: named in a configuration file. */
  readonly kind: 'client' | 'endpoint' | 'configured';
  /** `unsure`: it is installed, but no login and no key was found; only a session shows whether it works. */
  readonly state: 'ready' | 'unsure' | 'missing';
  readonly version: string | null;
  readonly payer: Payer | null;
  /** Base URL of an endpoint. */
  readonly address: string | null;
  /** Models of a local server that answers. */
  readonly models: readonly string[];
  /** Null if there is nothing to install. */
  readonly install: string | null;
  /** Log in, start the server, or set the key; null if unknown. */
  readonly begin: string | null;
  /** What to do before it can be used, or null. */
  readonly next: string | null;
  /** Why `run` refuses it; null if `run` accepts it, or if it is missing. */
  readonly refusal: Pick<OperatorError, 'message' | 'hint'> | null;
  /** The value for `--agent`. */
  readonly nameIt: string;
  readonly can: Abilities;
}

export interface Surroundings {
  /** Versions of the programs on PATH: asking each takes seconds, so it is done once. */
  readonly programs: Probe['agents'];
  readonly env: { readonly [name: string]: string };
  /** Without a repository's `.env`. */
  readonly ownEnv: { readonly [name: string]: string };
  readonly root: string;
  readonly sandbox: SandboxConfig;
  /** The setting `agent.env`: which variables agents get. */
  readonly agentEnv: EnvironmentSpec | undefined;
  readonly allowRoot: boolean;
  readonly configured: ReadonlyMap<string, AgentEntry>;
}

export async function payerOf(
  name: string,
  entry: AgentEntry | undefined,
  { env, ownEnv }: Pick<Surroundings, 'env' | 'ownEnv'>,
): Promise<Payer> {
  const { driver, env: own, ...options } = entry ?? { driver: name };
  try {
    const settled = await settlePayers({
      agents: { [name]: { driver, env: joinSpecs(undefined, own), options } },
      env,
      ownEnv,
      wish: null,
      models: {},
      read: (path) => readFile(path, 'utf8').catch(() => null),
    });
    return settled[name]?.payer ?? { kind: 'unknown', name: '' };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { kind: 'unknown', name: 'your login or a key in .env; choose --pay login or --pay key' };
  }
}
