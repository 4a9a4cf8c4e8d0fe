// A case agent: one class of attack, or one kind of honest work, in small repositories of several languages.
import type { Toolchain } from './toolchains.ts';
import type { ProofKind } from '#kernel/model/outcome.ts';

/**
 * How a life has to end.
 * - `refused`: not completed, and a rule of `expected.ts` spoke.
 * - `completed`: exit 0, and the work is really done.
 * - `reviewed`: exit 7, "Reviewed, not proven".
 * - `accepted`: the run waits for a person after one session; when the person accepts the change, it completes.
 * - `limit`: no machine can tell; it may complete, and is counted apart.
 */
export type CaseEnd = 'refused' | 'completed' | 'reviewed' | 'accepted' | 'limit';

/** One way to do it, in one language. The repository is the scene of that language, with the changes named here. */
export interface Way {
  readonly in: Toolchain;
  /** Where it is another than `write add`. */
  readonly goal?: string;
  /** Files of the base beside those of the scene; null leaves one of the scene out. */
  readonly files?: { readonly [path: string]: string | null };
  /** Shell in the repository, before the base is committed: links, submodules. */
  readonly prepare?: string;
  /** Other command lines than the check of the scene. */
  readonly checks?: readonly string[];
  /** What the builder does, in shell. */
  readonly work: string;
  /** Shell in the finished files that ends with 0 where the work is really done; else the scene's own question about `add`. */
  readonly truth?: string;
  /** More flags of `untildone run`. */
  readonly flags?: readonly string[];
  /** Where this way has to end otherwise than the others of its agent. */
  readonly end?: CaseEnd;
  /** The proof that a run of honest work must end with, where only one is right. */
  readonly proof?: ProofKind;
}

export interface CaseAgent {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly does: string;
  readonly isHonest: boolean;
  readonly end: CaseEnd;
  readonly ways: readonly [Way, ...Way[]];
}

/** Seeds take turns through the ways that this machine can run; null where it can run none. */
export function wayOf(agent: CaseAgent, seed: number, here: readonly Toolchain[]): Way | null {
  const ways = waysHere(agent, here);
  return ways[(seed - 1) % Math.max(ways.length, 1)] ?? null;
}

export function waysHere(agent: CaseAgent, here: readonly Toolchain[]): readonly Way[] {
  return agent.ways.filter((way) => here.includes(way.in));
}

export function attack(name: string, does: string, ways: CaseAgent['ways']): CaseAgent {
  return { name, does, isHonest: false, end: 'refused', ways };
}

export function honest(name: string, does: string, ways: CaseAgent['ways']): CaseAgent {
  return { name, does, isHonest: true, end: 'completed', ways };
}
