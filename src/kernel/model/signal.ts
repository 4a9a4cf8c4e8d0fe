// What an agent said, parsed. It ends a session; it never verifies a task.
import type { ActionReport } from '#kernel/actions/action.ts';
import type { ReviewVerdict } from './review.ts';

export type Signal =
  | { readonly kind: 'done' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'needs-input'; readonly question: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** `isUntagged`: no tag was found, and the text is all of the output. No reviewer's verdict, but it may be a plan. */
  | { readonly kind: 'report'; readonly text: string; readonly isUntagged?: true }
  | { readonly kind: 'verdict'; readonly verdict: ReviewVerdict }
  | { readonly kind: 'action'; readonly report: ActionReport }
  /** No ACTION_RESULT that can be used; the problems are sentences that can be sent back to the agent. */
  | { readonly kind: 'action-unreadable'; readonly problems: readonly string[]; readonly text: string };

/** Which words a role uses; the host reads them from the messages as they arrive. */
export interface SignalWords {
  readonly done: string;
  /** Tag whose content is a report of failures; null for a role that writes none. */
  readonly reportTag: string | null;
  /** Stands before a question to a person; absent for a role that asks none, and in runs that were made before it was read. */
  readonly needsInput?: string;
  /** The role ends each turn with an ACTION_RESULT block; then that block alone is the signal. */
  readonly actions?: true;
}

/** What a reviewer prints for its verdict to be found. */
export function verdictWords({ done, reportTag }: SignalWords): string {
  const fail = reportTag === null ? '' : ` (pass), or <${reportTag}>…</${reportTag}> (fail)`;
  return `a line with nothing but ${done}${fail}`;
}
