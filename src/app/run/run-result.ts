// The result of `run()`, as plain data.
import { gitOf } from '#app/git-of.ts';
import type { Site } from '#app/site.ts';
import type { DriveEnd } from '#app/world.ts';
import { knownUsd } from '#kernel/model/budget.ts';
import type { Outcome, ProofKind } from '#kernel/model/outcome.ts';
import type { Run } from '#kernel/fold/run.ts';
import { reasonWithWords } from '#views/lines/own-words.ts';
import { type LoopResult, loopResult } from '#views/actions/loop-state.ts';
import { proofOf } from '#views/report/proof.ts';

export interface RunResult {
  /** `parked`: waits for a person or a condition. `paused`: the signal was aborted. Both can continue. */
  readonly outcome: Outcome | 'parked' | 'paused';
  /** Why it ended so, or what it waits for. */
  readonly reason: string;
  /** What a completed or unverified run rests on; null if nothing supports the work. */
  readonly proof: ProofKind | null;
  /** The run's own branch; null before it was made. */
  readonly branch: string | null;
  /** Commits that the run made on its branch, oldest first. */
  readonly commits: readonly string[];
  readonly cost: RunCost;
  readonly runId: string;
  /** For the preset `actions`; null for any other. */
  readonly loop: LoopResult | null;
  /** True if an unfinished run was continued. */
  readonly isResumed: boolean;
}

/** Of the whole run, over all calls. */
export interface RunCost {
  /** Null if no agent reported a cost. */
  readonly usd: number | null;
  /** False if `usd` is only the part that agents reported. */
  readonly isComplete: boolean;
  readonly tokens: number;
  readonly sessions: number;
}

type Driven = Exclude<DriveEnd, { readonly kind: 'held' }>;

export async function resultOf(
  site: Site,
  end: Driven,
  { isResumed, isAborted }: { readonly isResumed: boolean; readonly isAborted: boolean },
): Promise<RunResult> {
  const { run } = end;
  return {
    ...endingOf(end, isAborted),
    proof: proofOf(run),
    branch: run.base?.branch ?? null,
    commits: await commitsOf(site, run),
    cost: costOf(run),
    runId: run.id,
    loop: loopResult(run),
    isResumed,
  };
}

function endingOf(end: Driven, isAborted: boolean): Pick<RunResult, 'outcome' | 'reason'> {
  if (end.kind === 'ended') {
    const { outcome, reason } = end.run.outcome ?? {
      outcome: 'failed',
      reason: 'it ended without an outcome',
    };
    return { outcome, reason: reasonWithWords(end.run, reason) };
  }
  if (isAborted) return { outcome: 'paused', reason: 'the signal was aborted' };
  return { outcome: 'parked', reason: end.waitingFor };
}

async function commitsOf(site: Site, { base, tip }: Run): Promise<readonly string[]> {
  if (base === null || tip === null || tip.commit === base.commit) return [];
  const git = await gitOf(site);
  const output = await git.tell(['rev-list', '--reverse', `${base.commit}..${tip.commit}`]);
  return output.split('\n').filter((line) => line !== '');
}

function costOf({ ledger }: Run): RunCost {
  const { spent, lost, usdIsComplete } = ledger;
  return {
    usd: knownUsd(ledger) === null ? null : spent.usd - lost.usd,
    isComplete: usdIsComplete,
    tokens: spent.tokens - lost.tokens,
    sessions: spent.sessions,
  };
}
