// Decides whether a session may start now, by the provider limits that any run on this machine has met.
import type { AgentChoice } from '#kernel/model/step.ts';

export interface KnownLimit {
  readonly until: number;
  /** In the provider's words. */
  readonly reason: string;
  /** The run that met the limit. */
  readonly runId: string;
}

/** Contract: never throws, never waits. A disk that fails or returns wrong data blocks no session. */
export interface Admission {
  /** Contract: null if a session may start. A limit that ends later than a run may wait does not count. */
  limitOf(agent: AgentChoice): KnownLimit | null;
  /** Contract: an `until` in the past changes nothing; an earlier end does not shorten a known limit. */
  noteLimit(agent: AgentChoice, limit: Pick<KnownLimit, 'reason'> & { readonly until: number | null }): void;
  /** A session that began at `startedAt` succeeded. Contract: a limit met after `startedAt` stays. */
  noteSuccess(agent: AgentChoice, startedAt: number): void;
  /** A person resumed the run: forgets every limit of these agents. */
  forget(agents: readonly AgentChoice[]): void;
}
