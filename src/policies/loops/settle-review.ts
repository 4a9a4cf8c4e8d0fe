// Decides what a review counts for, once its blockers were tried. Any fail fails, unless none can be shown.
import type { ReviewState } from '#kernel/fold/review.ts';
import type { SignalWords } from '#kernel/model/signal.ts';
import { verdictWords } from '#kernel/model/signal.ts';
import type { ReviewVerdict } from '#kernel/model/review.ts';

/** A verdict below this confidence settles nothing. Without a stated confidence, the verdict counts. */
const confidenceMin = 0.5;
/** How often the reviewer is asked again; then a person decides. */
const doubtsMax = 1;

export interface SettledReview {
  /** `again`: ask the same reviewer once more, in a fresh session. */
  readonly verdict: 'pass' | 'fail' | 'unknown' | 'again';
  readonly reason: string;
}

export function settleReview(review: ReviewState, verdict: ReviewVerdict): SettledReview {
  const role = nameOf(review.role);
  const doubt = doubtOf(review, verdict);
  if (doubt !== null) return unsettled(review, `${role} ${doubt}`);
  if (isFail(verdict)) return { verdict: 'fail', reason: `${role} ${failure(review, verdict)}` };
  const remarks = verdict.verdict === 'warn' ? ' with remarks' : '';
  return { verdict: 'pass', reason: `${role} passed it${remarks}` };
}

/** Contract: if the reviewer is asked again, the reason says what it should print. */
export function settleWithoutVerdict(review: ReviewState, words: SignalWords, why: string): SettledReview {
  const settled = unsettled(review, `${nameOf(review.role)} gave no verdict: ${why}`);
  if (settled.verdict !== 'again') return settled;
  return { ...settled, reason: `${settled.reason}; it should print ${verdictWords(words)}` };
}

/** Contract: the reason says how often it failed, and why the last time. */
export function settleAfterErrors({ role, error }: ReviewState, errors: number): SettledReview {
  const often = errors > 1 ? ` ${errors} times in a row` : '';
  const reason = `${nameOf(role)} gave no valid verdict${often}; the last reason: ${error ?? 'its session was cut off'}`;
  return { verdict: 'unknown', reason };
}

function unsettled({ doubts }: ReviewState, reason: string): SettledReview {
  return { verdict: doubts >= doubtsMax ? 'unknown' : 'again', reason };
}

/** The presets' verifier is called by its role; other reviewers have names. */
function nameOf(role: string): string {
  return role === 'verifier' ? 'the verifier' : `the reviewer ${role}`;
}

/** A critical blocker fails the work, whatever the stated verdict. */
function isFail({ verdict, blockers }: ReviewVerdict): boolean {
  return verdict === 'fail' || blockers.some(({ severity }) => severity === 'critical');
}

function doubtOf(review: ReviewState, verdict: ReviewVerdict): string | null {
  const { blockers, confidence } = verdict;
  const isUnsure = confidence !== null && confidence < confidenceMin;
  if (isFail(verdict)) {
    const trials = blockers.map((_, index) => review.trials[index] ?? null);
    if (trials.some((trial) => trial?.outcome === 'reproduced')) return null;
    if (blockers.length > 0 && trials.every((trial) => trial?.outcome === 'not reproduced'))
      return `failed it, but none of its blockers could be reproduced (${blockers.map(({ what }) => what).join('; ')})`;
  }
  if (!isUnsure) return null;
  return `says ${verdict.verdict}, but is only ${Math.round(confidence * 100)} % sure`;
}

function failure(review: ReviewState, { blockers }: ReviewVerdict): string {
  if (blockers.length === 0) return 'reported failures';
  const reproduced = review.trials.filter((trial) => trial?.outcome === 'reproduced').length;
  const shown = reproduced === 0 ? '' : `, ${reproduced} reproduced`;
  return `found ${blockers.length} blocker${blockers.length === 1 ? '' : 's'}${shown}`;
}
