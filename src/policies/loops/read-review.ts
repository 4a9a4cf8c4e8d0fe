// What the session of a reviewer amounts to: a verdict, no valid one, or nothing yet.
import { describeSessionEnding, isConversationGone, isPassing } from '#kernel/model/ending.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { ReviewVerdict } from '#kernel/model/review.ts';

export type ReadReview =
  | { readonly kind: 'verdict'; readonly verdict: ReviewVerdict }
  /** It did what a reviewer may not do, or broke off. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** It finished, and its output holds no verdict that counts. */
  | { readonly kind: 'no-verdict'; readonly reason: string }
  /** Cut off by us, or by trouble that passes: it is asked again, and nobody is to blame. */
  | { readonly kind: 'none' };

export function readReview(
  { ending, endTree, signal }: SessionResult,
  seen: { readonly tree: string; readonly hasCommitted: boolean },
): ReadReview {
  if (ending.kind === 'interrupted' || ending.kind === 'cancelled') return { kind: 'none' };
  if (ending.kind === 'failed' && isPassing(ending.errorClass)) return { kind: 'none' };
  if (isConversationGone(ending)) return { kind: 'none' };
  if (seen.hasCommitted) return invalid('it committed, so its verdict is not valid');
  if (endTree !== seen.tree) return invalid('it changed files, so its verdict is not valid');
  if (ending.kind !== 'finished') return invalid(`it ${describeSessionEnding(ending)}`);
  switch (signal?.kind) {
    case 'verdict':
      return { kind: 'verdict', verdict: signal.verdict };
    case 'done':
      return said('pass', '');
    case 'report':
      if (signal.isUntagged === true) return noVerdict('its output holds no marker and no report');
      return said('fail', signal.text);
    case 'failed':
      return noVerdict(signal.reason);
    default:
      return noVerdict('it printed no answer');
  }
}

/** The seed's own words: a marker or a report, and nothing about confidence. */
function said(verdict: 'pass' | 'fail', text: string): ReadReview {
  return { kind: 'verdict', verdict: { verdict, text, confidence: null, blockers: [] } };
}

function invalid(reason: string): ReadReview {
  return { kind: 'invalid', reason };
}

function noVerdict(reason: string): ReadReview {
  return { kind: 'no-verdict', reason };
}
