// Counts the git processes of a small run, as `test/counters` does.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { countedRun } from '#test/counted-run.ts';
import { countKinds } from '#test/started-process.ts';
import { sizeAt } from '../measure.ts';
import type { BenchOptions, Limits, Line } from '../measure.ts';
import type { SandboxMode } from '../program.ts';

const limitsOf: { readonly [phase in Phase]: Limits } = {
  start: { gate: 35, aim: 20 },
  attempt: { gate: 10, aim: 7 },
  end: { gate: 25, aim: 15 },
};
const phases = ['start', 'attempt', 'end'] as const;
type Phase = (typeof phases)[number];

export async function gitLines(
  sandbox: SandboxMode,
  { folder, program, scale }: BenchOptions,
  missing: string | null,
): Promise<Line[]> {
  const counts = missing === null ? await countGit(sandbox, { folder, program, scale }) : null;
  return phases.map((phase) => ({
    name: `git processes: ${phase} (${sandbox === 'none' ? 'no sandbox' : 'bubblewrap'})`,
    ...limitsOf[phase],
    measured: counts?.[phase] ?? null,
    raw: null,
    unit: 'processes',
    ...(missing === null ? {} : { note: missing }),
  }));
}

/** The end begins with the last session, whose attempt passes. */
async function countGit(
  sandbox: SandboxMode,
  { folder, program, scale }: BenchOptions,
): Promise<{ readonly [phase in Phase]: number }> {
  const place = join(folder, `counted-${sandbox}`);
  mkdirSync(place);
  const run = await countedRun({ sandbox, attempts: 2, checks: sizeAt(scale, 10, 1) }, { place, program });
  if (run.exitCode !== 0) throw new Error(`the counted run ended with ${run.exitCode}`);
  const [start = [], attempt = [], end = []] = run.phases;
  return { start: countKinds(start).git, attempt: countKinds(attempt).git, end: countKinds(end).git };
}
