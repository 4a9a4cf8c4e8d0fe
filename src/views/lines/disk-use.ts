// What runs take on the disk, in words.

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
