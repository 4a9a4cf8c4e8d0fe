// Rules for a check that passes and fails on one tree. It is no pass until a policy or a person says so.
import type { Evidence, FlakyRuns, Verdict } from './criterion.ts';

export interface FlakyPolicy {
  /** How often a failed check is run again on the same tree, to see whether it always fails. */
  readonly retries: number;
  /** How many passes outweigh failures on the same tree; null: none do. */
  readonly passes: number | null;
  /** Absent: `usualAgain`. */
  readonly again?: RecheckPolicy;
}

/** Separates correct work from work that passed by luck: a check that turned green must pass repeatedly. */
export interface RecheckPolicy {
  /** Runs at the acceptance, in all; 1 accepts the first run. */
  readonly looks: number;
  /** Time limit for all runs after the first. */
  readonly withinMs: number;
}

export interface SharedRecheckPolicy extends RecheckPolicy {
  /** Time limit for the least number of runs; a check that exceeds it alone is expensive. */
  readonly leastWithinMs: number;
}

export const strictPolicy: FlakyPolicy = { retries: 0, passes: null };

/**
 * Ten runs and the one of the attempt accept 2% of work that passes 70% of the time. At 50% it is 1 in 2,000,
 * at 90% a third; three runs and the one of the attempt accept a quarter of the first. A second allows ten runs
 * of a check of 0.1 seconds. Longer checks run three times, and those of more than five seconds once.
 */
export const usualAgain: RecheckPolicy = { looks: 10, withinMs: 1_000 };

/** A check that is not expensive runs at least so often, if that takes no longer than `leastWithinMs`. */
const quickRunsMin = 3;
const leastWithinMs = 15_000;

/** For all checks together: the acceptance of a plan with a thousand tasks must not take hours. */
const allWithinMs = 60_000;

/** The share of each check in the time for all `checks` of one acceptance. */
export function sharedAgain(again: RecheckPolicy, checks: number): SharedRecheckPolicy {
  const share = Math.max(allWithinMs, again.withinMs) / Math.max(1, checks);
  return {
    ...again,
    withinMs: Math.min(again.withinMs, share),
    leastWithinMs: Math.min(Math.max(leastWithinMs, again.withinMs), share),
  };
}

/** If not even so many further runs fit into the time, they cost much and show little. */
export const furtherMin = 3;
/** A check that turned green must pass this often before anything completes, however long it takes. */
export const passesMin = 2;

/**
 * A pass after a failure on the same workspace files may be honest, because an untracked file may have been
 * fixed. Then it must pass this many further times.
 */
const confirmations = 2;

/** The earlier result of the same check on the same tree, in the same kind of place and conditions. */
export interface Before {
  readonly verdict: 'pass' | 'fail';
  /** Only the check itself can have made the difference. */
  readonly isConclusive: boolean;
}

export function beforeOf(
  earlier: Iterable<Evidence | undefined>,
  now: Pick<Evidence, 'tree' | 'place' | 'conditions'>,
): Before | null {
  for (const previous of earlier) {
    if (previous === undefined || previous.verdict === 'unknown' || now.conditions === undefined) continue;
    const isSame =
      previous.tree === now.tree && previous.place === now.place && previous.conditions === now.conditions;
    if (isSame) return { verdict: previous.verdict, isConclusive: previous.place === 'clean' };
  }
  return null;
}

/** How often a check may run because of the policy, or because it failed before. */
export function runsMax(before: Before | null, { retries }: FlakyPolicy): number {
  return 1 + Math.max(retries, isDoubtful(before) ? confirmations : 0);
}

export function isRechecked(runs: readonly Verdict[], before: Before | null, policy: FlakyPolicy): boolean {
  const { passed, failed } = countOf(runs);
  if (runs.includes('unknown') || runs.length === 0) return false;
  const againMax = Math.max(policy.retries, failed === 0 && isDoubtful(before) ? confirmations : 0);
  if (runs.length > againMax) return false;
  const isMixed = passed > 0 && failed > 0;
  if (isMixed || (passed > 0 && before?.verdict === 'fail' && before.isConclusive))
    return policy.passes !== null && passed < policy.passes;
  return failed > 0 || isDoubtful(before);
}

/** Whether a check that was not green on the base has passed often enough. */
export function isConfirmed(
  evidence: {
    readonly passes: number;
    /** Passes that are needed even if the time is used up. */
    readonly passesMin: number;
    /** Duration of the newest run, and of all runs after the first. */
    readonly lastMs: number;
    readonly spentMs: number;
  },
  again: SharedRecheckPolicy,
): boolean {
  const { passes, lastMs } = evidence;
  if (passes >= again.looks) return true;
  if (passes < evidence.passesMin) return false;
  if (passes === 1 && isDear(lastMs, again)) return true;
  return evidence.spentMs + lastMs > (passes < quickRunsMin ? again.leastWithinMs : again.withinMs);
}

export function isDear(durationMs: number, again: SharedRecheckPolicy): boolean {
  return durationMs * furtherMin > again.leastWithinMs;
}

function isDoubtful(before: Before | null): boolean {
  return before?.verdict === 'fail' && !before.isConclusive;
}

/** The verdict of all runs together; null if they agree, and then the last one counts. */
export function settleRuns(
  runs: readonly Verdict[],
  before: Before | null,
  policy: FlakyPolicy,
): { readonly verdict: Verdict; readonly reason: string; readonly flaky?: FlakyRuns } | null {
  const { passed, failed } = countOf(runs);
  const counts = before?.isConclusive === true;
  const all = {
    passed: passed + (counts && before.verdict === 'pass' ? 1 : 0),
    failed: failed + (counts && before.verdict === 'fail' ? 1 : 0),
  };
  const isOpen = runs.at(-1) === 'unknown';
  if (all.failed === 0 || (all.passed === 0 && !isOpen)) return null;
  if (all.passed === 0) {
    const times = `${all.failed} of ${runs.length + all.failed - failed}`;
    return { verdict: 'fail', reason: `failed ${times} runs on this tree, and passed none` };
  }
  const isAccepted = policy.passes !== null && passed >= policy.passes && !isOpen;
  const summary = `flaky: passed ${all.passed} of ${all.passed + all.failed} runs on this tree`;
  const reason = isAccepted ? `${summary}; the policy asks for ${String(policy.passes)}` : summary;
  return { verdict: isAccepted ? 'pass' : 'unknown', reason, flaky: { ...all, isAccepted } };
}

function countOf(runs: readonly Verdict[]): { passed: number; failed: number } {
  return {
    passed: runs.filter((verdict) => verdict === 'pass').length,
    failed: runs.filter((verdict) => verdict === 'fail').length,
  };
}
