// Money burnt doing nothing: the same error, the same files, or two states in turns. A newly passing criterion ends the row.
import type { FailureTrace } from '#kernel/failure.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import { failureKind, seenOn } from './failure-kind.ts';

/** What the attempt that just failed leaves to learn from. */
export function traceOf(run: Run, task: TaskState, reason: string): Omit<FailureTrace, 'hand'> {
  const tree = task.build?.endTree ?? null;
  const seen = seenOn(run, task, tree);
  const red = seen.filter(({ verdict }) => verdict !== 'pass');
  // Each for itself: a long one must not hide what changes in another.
  const signed = red.map((one) => `${one.criterionId}: ${signatureOf(one.tail || one.reason)}`);
  return {
    kind: failureKind(run, task, tree),
    signature: signed.length === 0 ? signatureOf(reason) : signed.join('\n'),
    tree,
    passing: seen.filter(({ verdict }) => verdict === 'pass').map(({ criterionId }) => criterionId),
  };
}

/** Why nothing moves any more, in a sentence; null while something does. `max` alike in a row are too many, 0 never. `base`: the tree before the first attempt. */
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

/** From the newest attempt on which a criterion passed that had not passed in the attempts before. */
function sinceProgress<T extends Pick<FailureTrace, 'passing'>>(trail: readonly T[]): T[] {
  const known = new Set<string>();
  let from = 0;
  for (const [index, { passing }] of trail.entries()) {
    if (index > 0 && passing.some((id) => !known.has(id))) from = index;
    for (const id of passing) known.add(id);
  }
  return trail.slice(from);
}

/** A, B, A, B: each state was there before, and no new one came. */
function isOscillating(row: readonly Pick<FailureTrace, 'tree'>[], max: number): boolean {
  const last = row.slice(-(max + 1)).map(({ tree }) => tree);
  const [first, second] = last;
  if (last.length <= max || first === undefined || first === null || second === first) return false;
  return last.every((tree, index) => tree === (index % 2 === 0 ? first : second));
}

/** Enough to tell errors apart; the journal keeps it for every attempt and red criterion. */
const signatureMax = 400;

const colour = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** Without what differs from one run of the same failure to the next. */
export function signatureOf(output: string): string {
  return output
    .replaceAll(colour, '')
    .replaceAll(/0x[0-9a-f]+/gi, '0x…')
    .replaceAll(/\b[0-9a-f]{7,64}\b/gi, '…')
    .replaceAll(/(?:[A-Za-z]:)?(?:\/[\w.@-]+){2,}/g, (path) => path.slice(path.lastIndexOf('/') + 1))
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?\S*|\b\d\d:\d\d:\d\d\S*/g, '…')
    .replaceAll(/\d+(?:\.\d+)?\s*(?:ms|s|m|min|seconds?|minutes?)\b/g, '…')
    .replaceAll(/\b(?:pid|port)\W+\d+/gi, '…')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(-signatureMax);
}
