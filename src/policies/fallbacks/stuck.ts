// Records what a failed attempt can be compared by, so that alike failures are noticed.
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { failureKind, requiredEvidenceOn } from './failure-kind.ts';
import type { FailureTrace } from '#kernel/events/failure-trace.ts';
import { buildOf } from '#kernel/fold/work.ts';

export function traceOf(run: Run, task: TaskState, reason: string): Omit<FailureTrace, 'hand'> {
  const tree = buildOf(task)?.endTree ?? null;
  const evidence = requiredEvidenceOn(run, task, tree);
  const red = evidence.filter(({ verdict }) => verdict !== 'pass');
  // One signature per criterion: a long one must not hide a change in another.
  const signed = red.map((one) => `${one.criterionId}: ${signatureOf(one.tail || one.reason)}`);
  return {
    kind: failureKind(run, task, tree),
    signature: signed.length === 0 ? signatureOf(reason) : signed.join('\n'),
    tree,
    passing: evidence.filter(({ verdict }) => verdict === 'pass').map(({ criterionId }) => criterionId),
  };
}

/** Enough to tell errors apart; the journal keeps it for every attempt and red criterion. */
const signatureMax = 400;

const colour = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** Drops what varies between runs of the same failure: hashes, folders, times, durations, ports. */
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
