// What the session of a reviewer amounts to: a verdict, no valid one, or nothing yet.
import { describeSessionEnding, isPassing } from '#kernel/ending.ts';
import type { ReviewVerdict } from '#kernel/review.ts';
import type { SessionResult } from '#kernel/step.ts';

export type ReadReview =
  | { readonly kind: 'verdict'; readonly verdict: ReviewVerdict }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Cut off by us, or by trouble that passes: it is asked again, and nobody is to blame. */
  | { readonly kind: 'none' };

export function readReview(
  { ending, endTree, signal }: SessionResult,
  seen: { readonly tree: string; readonly hasCommitted: boolean },
): ReadReview {
  if (ending.kind === 'interrupted' || ending.kind === 'cancelled') return { kind: 'none' };
  if (ending.kind === 'failed' && isPassing(ending.errorClass)) return { kind: 'none' };
  if (seen.hasCommitted) return invalid('it committed, so its verdict is not valid');
  if (endTree !== seen.tree) return invalid('it changed files, so its verdict is not valid');
  if (ending.kind !== 'finished') return invalid(`it ${describeSessionEnding(ending)}`);
  switch (signal?.kind) {
    case 'verdict':
      return { kind: 'verdict', verdict: signal.verdict };
    case 'done':
      return said('pass', '');
    case 'report':
      return said('fail', signal.text);
    case 'failed':
      return invalid(signal.reason);
    default:
      return invalid('it said nothing that could be read as a verdict');
  }
}

/** The seed's own words: a marker or a report, and nothing about confidence. */
function said(verdict: 'pass' | 'fail', text: string): ReadReview {
  return { kind: 'verdict', verdict: { verdict, text, confidence: null, blockers: [] } };
}

function invalid(reason: string): ReadReview {
  return { kind: 'invalid', reason };
}
