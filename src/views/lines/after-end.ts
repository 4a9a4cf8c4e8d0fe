// Describes a run after its end: its work landed, it was cleaned, or it was forked.
import type { Cleaning } from '#kernel/fold/after-end.ts';
import type { ForkOrigin, LandedWork } from '#kernel/events/after-end-facts.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
import type { Run } from '#kernel/fold/run.ts';
import { shortened, utc, utcMinute } from '#views/words.ts';
import { sizeText } from './disk-use.ts';

/** `landed on main as 0123456789 (merged), by ann` */
export function landedText({ how, target, commit, by, isProven, acceptedReview }: LandedWork): string {
  const proof = acceptedReview === true ? ', accepted on review,' : isProven ? '' : ' WITHOUT PROOF';
  return `landed${proof} on ${target} as ${commit.slice(0, 10)} (${how}), by ${by}`;
}

/** Appended to a line that names the branch. */
export function goneWords({ isBranchGone }: { readonly isBranchGone?: boolean }): string {
  return isBranchGone === true ? ' (the branch was removed)' : '';
}

export function landedLines(run: Run): string[] {
  const landed = run.landings.map(
    (one) => `${one.isProven || one.acceptedReview === true ? '🛬' : '⚠️ '} ${landedText(one)}`,
  );
  return [...landed, ...cleanedLines(run)];
}

/** `cleaned by ann: 12 MB removed, journal and statements kept` */
export function cleanedText({
  by,
  kept,
  removedBytes,
}: Pick<Cleaning, 'by' | 'kept' | 'removedBytes'>): string {
  return `cleaned by ${by}: ${sizeText(removedBytes)} removed, kept: ${kept.join(', ')}`;
}

function cleanedLines({ cleaned }: Run): string[] {
  return cleaned === null ? [] : [`🧹 ${cleanedText(cleaned)} (${utcMinute(cleaned.at)})`];
}

const pathsMax = 20;

/** Files of the work that run on the user's machine once it has landed. */
export function afterLandingLines(found: readonly RunsAfterLanding[] = []): string[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, pathsMax).map(({ path, change }) => `${shortened(path, 100)} (${change})`);
  const more = found.length > pathsMax ? [`and ${found.length - pathsMax} more`] : [];
  return [`Runs on your machine after landing: ${[...shown, ...more].join(', ')}`];
}

export function originJson({ runId, event, by, at }: NonNullable<Run['forked']>) {
  return { runId, event, by, at: utc(at) };
}

/** The id of each fork, and the event of the old run after which it begins. */
export function forksAmong(runs: readonly { readonly run: Run }[], runId: string): ForkOrigin[] {
  return runs.flatMap(({ run }) =>
    run.forked?.runId === runId ? [{ runId: run.id, event: run.forked.event }] : [],
  );
}

export function forkedLines({ forked }: Run): string[] {
  if (forked === null) return [];
  const { runId, event, by, at } = forked;
  return [`🍴 Forked by ${by} on ${utcMinute(at)} from run ${runId}, event ${event}`];
}

export function forksLines(forks: readonly ForkOrigin[]): string[] {
  return forks.map(({ runId, event }) => `🍴 Fork: run ${runId}, from event ${event}`);
}
