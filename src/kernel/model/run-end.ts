// How a run ended, and that its files were removed afterwards.
import type { Outcome } from '#kernel/outcome.ts';
import type { ProofKind } from '#kernel/proof/proof-kind.ts';

export interface RunEnd {
  readonly outcome: Outcome;
  readonly reason: string;
  readonly proof?: ProofKind;
  /** The run was refused before its first session. */
  readonly refused?: 'preflight';
}

export interface Cleaning {
  readonly by: string;
  readonly at: number;
  readonly kept: readonly string[];
  readonly removedBytes: number;
}
