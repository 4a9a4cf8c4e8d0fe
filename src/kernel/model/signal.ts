// A parsed statement of an agent. It ends a session; it never verifies a task.
import type { ActionReport } from '#kernel/actions/action.ts';
import type { ReviewVerdict } from './review.ts';

export type Signal =
  | { readonly kind: 'done' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'needs-input'; readonly question: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** `isUntagged`: no tag was found, and the text is the whole output. Never a verdict, but maybe a plan. */
  | { readonly kind: 'report'; readonly text: string; readonly isUntagged?: true }
  | { readonly kind: 'verdict'; readonly verdict: ReviewVerdict }
  | { readonly kind: 'action'; readonly report: ActionReport }
  /** There is no usable ACTION_RESULT. The problems are sentences that can be sent back to the agent. */
  | { readonly kind: 'action-unreadable'; readonly problems: readonly string[]; readonly text: string };

/** The words that a role uses; the host searches the messages for them as they arrive. */
export interface SignalWords {
  readonly done: string;
  /** Tag around a report of failures; null for a role that writes none. */
  readonly reportTag: string | null;
  /** Precedes a question to a person; absent for a role that asks none, and in older runs. */
  readonly needsInput?: string;
  /** The role ends each turn with an ACTION_RESULT block, and only that block is the signal. */
  readonly actions?: true;
}

/** The text that a reviewer has to print for its verdict to be found. */
export function verdictWords({ done, reportTag }: SignalWords): string {
  const fail = reportTag === null ? '' : ` (pass), or <${reportTag}>…</${reportTag}> (fail)`;
  return `a line with nothing but ${done}${fail}`;
}
