// Whether a session of an agent may start now, as far as all runs of this machine know of their providers' limits.
import type { AgentChoice } from '#kernel/model/step.ts';

export interface KnownLimit {
  readonly until: number;
  /** In the provider's words. */
  readonly reason: string;
  /** The run that met it. */
  readonly runId: string;
}

/** Contract: never throws and never waits; a disk that fails or lies keeps no session from starting. */
export interface Admission {
  /** Contract: null when a session may start. A limit that ends later than a run may wait is no reason to refuse. */
  limitOf(agent: AgentChoice): KnownLimit | null;
  /** Contract: `until` in the past changes nothing; an earlier end than the known one does not shorten it. */
  noteLimit(agent: AgentChoice, limit: Pick<KnownLimit, 'reason'> & { readonly until: number | null }): void;
  /** A session that began at `startedAt` succeeded. Contract: a limit that was met later stays. */
  noteSuccess(agent: AgentChoice, startedAt: number): void;
  /** A person asked to go on: every limit of these agents is forgotten. */
  forget(agents: readonly AgentChoice[]): void;
}
