// Formats disk usage.

/** `12 kB`, `3.4 MB`, `1.2 GB`: powers of ten, as disks are sold. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Above this, the text names the command that frees space. */
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
