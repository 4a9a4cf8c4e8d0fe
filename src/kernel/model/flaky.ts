// A check that passes and fails on one and the same tree. It is no pass until a policy or a person says so.
import type { Evidence, FlakyRuns, Verdict } from './criterion.ts';

export interface FlakyPolicy {
  /** How often a check that failed is run again on the same tree, to see whether it always does. */
  readonly retries: number;
  /** How many passes make up for failures on the same tree; null: none do. */
  readonly passes: number | null;
  /** Absent: `usualAgain`. */
  readonly again?: LooksAgain;
}

/** How work that is right by luck is told from work that is right: what turned green must be seen green again. */
export interface LooksAgain {
  /** At the acceptance, in all; 1 takes the first look for the last word. */
  readonly looks: number;
  /** What the looks after the first may take together. */
  readonly withinMs: number;
}

export const strictPolicy: FlakyPolicy = { retries: 0, passes: null };

/**
 * Ten looks, and the one of the attempt, let through two of a hundred of what passes seven times of ten, one of 2,000 of what
 * passes every other time, and a third of what passes nine times of ten. Fifteen seconds are that many for checks of up to one and a
 * half seconds, also on a busy machine, and little beside the sessions that led there; what takes five seconds or more is not
 * looked at again for it.
 */
export const usualAgain: LooksAgain = { looks: 10, withinMs: 15_000 };

/** However many checks there are: a plan of a thousand tasks is not accepted for hours. */
const allWithinMs = 60_000;

/** What is left for each when so many checks are looked at in one go. */
export function sharedAgain(again: LooksAgain, checks: number): LooksAgain {
  const all = Math.max(allWithinMs, again.withinMs);
  return { ...again, withinMs: Math.min(again.withinMs, all / Math.max(1, checks)) };
}

/** Where not even so many fit into the time, more looks cost much and tell little. */
export const furtherMin = 3;
/** What turned green is seen green so often before anything completes, however long it takes. */
export const passesMin = 2;

/**
 * A pass after a failure on the same files of the workspace may be honest: something that git does not keep was put right.
 * Then it holds when it is looked at again so many times.
 */
const confirmations = 2;

/** What was seen before of the same check on the same tree, in the same kind of place, under the same conditions. */
export interface Before {
  readonly verdict: 'pass' | 'fail';
  /** Nothing but the check itself can have made the difference. */
  readonly isConclusive: boolean;
}

export function beforeOf(
  earlier: Iterable<Evidence | undefined>,
  now: Pick<Evidence, 'tree' | 'place' | 'conditions'>,
): Before | null {
  for (const seen of earlier) {
    if (seen === undefined || seen.verdict === 'unknown' || now.conditions === undefined) continue;
    const isSame = seen.tree === now.tree && seen.place === now.place && seen.conditions === now.conditions;
    if (isSame) return { verdict: seen.verdict, isConclusive: seen.place === 'clean' };
  }
  return null;
}

/** How often a check can be run because of the policy, or because it failed before. */
export function runsMax(before: Before | null, { retries }: FlakyPolicy): number {
  return 1 + Math.max(retries, isDoubtful(before) ? confirmations : 0);
}

/** Whether to look once more, after what these looks saw. */
export function isLookedAtAgain(
  runs: readonly Verdict[],
  before: Before | null,
  policy: FlakyPolicy,
): boolean {
  const { passed, failed } = countOf(runs);
  if (runs.includes('unknown') || runs.length === 0) return false;
  const againMax = Math.max(policy.retries, failed === 0 && isDoubtful(before) ? confirmations : 0);
  if (runs.length > againMax) return false;
  const isMixed = passed > 0 && failed > 0;
  if (isMixed || (passed > 0 && before?.verdict === 'fail' && before.isConclusive))
    return policy.passes !== null && passed < policy.passes;
  return failed > 0 || isDoubtful(before);
}

/** Whether what has passed so far, though it did not on the base, needs no further look. */
export function isConfirmed(
  seen: {
    readonly passes: number;
    /** Before time is a reason. */
    readonly passesMin: number;
    /** Of the newest look, and of all after the first. */
    readonly lastMs: number;
    readonly spentMs: number;
  },
  again: LooksAgain,
): boolean {
  if (seen.passes >= again.looks) return true;
  if (seen.passes < seen.passesMin) return false;
  const isSpent = seen.spentMs + seen.lastMs > again.withinMs;
  return isSpent || (seen.passes === 1 && isDear(seen.lastMs, again));
}

export function isDear(lookMs: number, { withinMs }: LooksAgain): boolean {
  return lookMs * furtherMin > withinMs;
}

function isDoubtful(before: Before | null): boolean {
  return before?.verdict === 'fail' && !before.isConclusive;
}

/** What all looks together say; null when they agree, and the last one speaks for all. */
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
  const told = `flaky: passed ${all.passed} of ${all.passed + all.failed} runs on this tree`;
  const reason = isAccepted ? `${told}; the policy asks for ${String(policy.passes)}` : told;
  return { verdict: isAccepted ? 'pass' : 'unknown', reason, flaky: { ...all, isAccepted } };
}

function countOf(runs: readonly Verdict[]): { passed: number; failed: number } {
  return {
    passed: runs.filter((verdict) => verdict === 'pass').length,
    failed: runs.filter((verdict) => verdict === 'fail').length,
  };
}
