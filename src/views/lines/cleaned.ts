// What `clean` removed of a run, in words.
import type { Cleaning } from '#kernel/fold/after-end.ts';
import type { Run } from '#kernel/fold/run.ts';
import { utcMinute } from '#views/words.ts';

/** `12 kB`, `3.4 MB`, `1.2 GB`: what a disk has by it, in powers of ten. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Beyond it a person is told how to get it back. */
const largeBytes = 500_000_000;

export interface DiskUse {
  readonly state: number;
  readonly worktrees: number;
  readonly caches: number;
  readonly total: number;
}

/** `runs of this repository use 1.2 GB: state and logs 200.0 MB, …` */
export function diskText({ state, worktrees, caches, total }: DiskUse): string {
  const parts = `state and logs ${sizeText(state)}, worktrees ${sizeText(worktrees)}, caches ${sizeText(caches)}`;
  const hint = total > largeBytes ? '; see what can go: untildone clean --dry-run' : '';
  return `runs of this repository use ${sizeText(total)}: ${parts}${hint}`;
}

/** `cleaned by ann: 12 MB removed, journal and statements kept` */
export function cleanedText({
  by,
  kept,
  removedBytes,
}: Pick<Cleaning, 'by' | 'kept' | 'removedBytes'>): string {
  return `cleaned by ${by}: ${sizeText(removedBytes)} removed, kept: ${kept.join(', ')}`;
}

export function cleanedLines({ cleaned }: Run): string[] {
  return cleaned === null ? [] : [`🧹 ${cleanedText(cleaned)} (${utcMinute(cleaned.at)})`];
}
