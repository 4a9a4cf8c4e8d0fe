// What really happened in the simulated world, recorded by the world itself.
import type { Verdict } from '#kernel/model/criterion.ts';
import type { SessionOperation, SessionResult, Step } from '#kernel/model/step.ts';
import type { Plan } from './plan.ts';
import type { View } from './view.ts';
import { emptyView } from './view.ts';

export interface LedgerSession {
  readonly step: Step & { readonly deed: SessionOperation };
  readonly worktree: string;
  /** Which driver started it. */
  readonly by: number;
  isAlive: boolean;
  /** How it really ended and what its receipt says; null while it lives and when its host died with it. */
  receipt: SessionResult | null;
  readonly texts: string[];
  readonly willCostUsd: number;
}

export interface LedgerCheck {
  readonly tree: string;
  readonly verdict: Verdict;
  /** One after the other, within one step. */
  readonly looks: readonly { readonly verdict: Verdict; readonly worktree: string }[];
}

export interface Ledger {
  view: View;
  readonly sessions: Map<string, LedgerSession>;
  readonly alive: Set<LedgerSession>;
  spentUsd: number;
  /** By step, then by `task/criterion`. */
  readonly checks: Map<string, Map<string, LedgerCheck>>;
  /** The files as the checks of a step left them, where they changed what was there. */
  readonly spoilt: Set<string>;
}

export function createLedger(plan: Plan): Ledger {
  return {
    view: emptyView(plan.config.budget, plan.config.policy.actions?.mode),
    sessions: new Map(),
    alive: new Set(),
    spentUsd: 0,
    checks: new Map(),
    spoilt: new Set(),
  };
}
