// Detects attempts without progress: same error, same files, or two states in turns. A new pass resets it.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { FailureTrace } from '#kernel/events/failure-trace.ts';

/** Null also if another agent tries next. */
export function stuckReason(run: Run, task: TaskState): string | null {
  if (task.failures.trail.at(-1)?.hand !== 'same-agent') return null;
  return whyStuck(task.failures.trail, run.config.policy.stuckMax ?? 0, task.base?.tree);
}

/** `max` similar attempts in a row are too many; 0: never. `base`: the tree before the first attempt. */
export function whyStuck(
  trail: readonly Omit<FailureTrace, 'hand'>[],
  max: number,
  base: string | null = null,
): string | null {
  const row = sinceProgress(trail);
  if (max === 0 || row.length < max) return null;
  const last = row.slice(-max);
  const [first] = last;
  if (first === undefined) return null;
  if (first.tree !== null && last.every(({ tree }) => tree === first.tree))
    return idleWords(max, (trail.at(-max - 1)?.tree ?? base) === first.tree);
  if (last.every(({ signature }) => signature === first.signature))
    return `${max} attempts in a row failed in the same way`;
  return isOscillating(row, max) ? 'the attempts go back and forth between the same states' : null;
}

/** The first of `max` attempts that left the same files may be the one that made them. */
function idleWords(max: number, wasSameBefore: boolean): string {
  const idle = wasSameBefore ? max : max - 1;
  if (idle === 0) return 'the attempt failed';
  return `the agent changed nothing in the last ${idle === 1 ? 'attempt' : `${idle} attempts`}`;
}

/** From the newest attempt in which a criterion passed for the first time. */
function sinceProgress<T extends Pick<FailureTrace, 'passing'>>(trail: readonly T[]): T[] {
  const known = new Set<string>();
  let from = 0;
  for (const [index, { passing }] of trail.entries()) {
    if (index > 0 && passing.some((id) => !known.has(id))) from = index;
    for (const id of passing) known.add(id);
  }
  return trail.slice(from);
}

/** A, B, A, B: no new state appears. */
function isOscillating(row: readonly Pick<FailureTrace, 'tree'>[], max: number): boolean {
  const last = row.slice(-(max + 1)).map(({ tree }) => tree);
  const [first, second] = last;
  if (last.length <= max || first === undefined || first === null || second === first) return false;
  return last.every((tree, index) => tree === (index % 2 === 0 ? first : second));
}
