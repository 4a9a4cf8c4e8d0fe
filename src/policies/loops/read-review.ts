// Reads the result of a reviewer's session: a verdict, no valid one, or nothing yet.
import { describeSessionEnding, isConversationGone, isTransient } from '#kernel/model/ending.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { ReviewVerdict } from '#kernel/model/review.ts';

export type ReadReview =
  | { readonly kind: 'verdict'; readonly verdict: ReviewVerdict }
  /** It broke a rule for reviewers, or its session broke off. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** It finished, and its output holds no verdict that counts. */
  | { readonly kind: 'no-verdict'; readonly reason: string }
  /** Cut off by us or by a transient error: it is asked again, without blame. */
  | { readonly kind: 'none' };

export function readReview(
  { ending, endTree, signal }: SessionResult,
  session: { readonly tree: string; readonly hasCommitted: boolean },
): ReadReview {
  if (ending.kind === 'interrupted' || ending.kind === 'cancelled') return { kind: 'none' };
  if (ending.kind === 'failed' && isTransient(ending.errorClass)) return { kind: 'none' };
  if (isConversationGone(ending)) return { kind: 'none' };
  if (session.hasCommitted) return invalid('it committed, so its verdict is not valid');
  if (endTree !== session.tree) return invalid('it changed files, so its verdict is not valid');
  if (ending.kind !== 'finished') return invalid(`it ${describeSessionEnding(ending)}`);
  switch (signal?.kind) {
    case 'verdict':
      return { kind: 'verdict', verdict: signal.verdict };
    case 'done':
      return verdictFrom('pass', '');
    case 'report':
      if (signal.isUntagged === true) return noVerdict('its output holds no marker and no report');
      return verdictFrom('fail', signal.text);
    case 'failed':
      return noVerdict(signal.reason);
    default:
      return noVerdict('it printed no answer');
  }
}

/** A marker or a report without a verdict block, so without a confidence. */
function verdictFrom(verdict: 'pass' | 'fail', text: string): ReadReview {
  return { kind: 'verdict', verdict: { verdict, text, confidence: null, blockers: [] } };
}

function invalid(reason: string): ReadReview {
  return { kind: 'invalid', reason };
}

function noVerdict(reason: string): ReadReview {
  return { kind: 'no-verdict', reason };
}
