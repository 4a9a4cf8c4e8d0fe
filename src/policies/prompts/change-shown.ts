// The change under review as the reviewer reads it: fenced data, so that nothing in it can give orders.
import { fenced } from './render.ts';

export interface Change {
  readonly stat: string;
  readonly patch: string;
  /** Paths that the reviewer's checkout has as they were before the work. */
  readonly asOnBase: readonly string[];
  readonly tests: readonly TestChange[];
  /** Changed files that a check read on the base. */
  readonly readByChecks?: readonly string[];
}

export interface TestChange {
  readonly path: string;
  readonly status: 'added' | 'changed';
}

const testsMax = 40;
const readsMax = 20;

export function changeShown({ stat, patch, asOnBase, tests, readByChecks = [] }: Change): string {
  if (stat === '') return 'Nothing was changed.';
  const parts = [fenced(stat), fenced(patch)];
  if (asOnBase.length > 0)
    parts.push(
      `In your checkout these files are as they were before the work, because agents take instructions from them; read their change above: ${asOnBase.slice(0, 20).join(', ')}${asOnBase.length > 20 ? ', …' : ''}`,
    );
  if (tests.length > 0) parts.push(testsShown(tests));
  if (readByChecks.length > 0)
    parts.push(
      `The checks read these files, which the work changed:\n\n${fenced(bounded(readByChecks, readsMax))}`,
    );
  return parts.join('\n\n');
}

/** Added tests count as proof only after a reviewer passed them, so the reviewer is asked about each one. */
function testsShown(tests: readonly TestChange[]): string {
  const lines = tests.map(({ path, status }) => `${status}: ${path}`);
  return `These test files came with the work. Your pass says that you judged them. For each one: does this test measure what was wanted, and does it fail without the change? A test that measures something else is a blocker.\n\n${fenced(bounded(lines, testsMax))}`;
}

function bounded(lines: readonly string[], max: number): string {
  const more = lines.length > max ? [`and ${lines.length - max} more`] : [];
  return [...lines.slice(0, max), ...more].join('\n');
}
