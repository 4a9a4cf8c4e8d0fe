// Where the work of a run went after its end.
import type { LandedWork } from '#kernel/landing.ts';
import type { Run } from '#kernel/run.ts';

/** `landed on main as 0123456789 (merged), by ann` */
export function landedText({ how, target, commit, by, isProven }: LandedWork): string {
  const proof = isProven ? '' : ' WITHOUT PROOF';
  return `landed${proof} on ${target} as ${commit.slice(0, 10)} (${how}), by ${by}`;
}

export function landedLines(run: Run): string[] {
  return run.landings.map((landed) => `${landed.isProven ? '🛬' : '⚠️ '} ${landedText(landed)}`);
}
