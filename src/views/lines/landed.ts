// Where the work of a run went after its end.
import type { Run } from '#kernel/fold/run.ts';
import { cleanedLines } from './cleaned.ts';
import type { LandedWork } from '#kernel/events/after-end-facts.ts';

/** `landed on main as 0123456789 (merged), by ann` */
export function landedText({ how, target, commit, by, isProven, acceptedReview }: LandedWork): string {
  const proof = acceptedReview === true ? ', accepted on review,' : isProven ? '' : ' WITHOUT PROOF';
  return `landed${proof} on ${target} as ${commit.slice(0, 10)} (${how}), by ${by}`;
}

/** For the end of a line that names the branch. */
export function goneWords({ isBranchGone }: { readonly isBranchGone?: boolean }): string {
  return isBranchGone === true ? ' (the branch was removed)' : '';
}

export function landedLines(run: Run): string[] {
  const landed = run.landings.map(
    (one) => `${one.isProven || one.acceptedReview === true ? '🛬' : '⚠️ '} ${landedText(one)}`,
  );
  return [...landed, ...cleanedLines(run)];
}
