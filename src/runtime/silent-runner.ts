// A test runner that told of its tests before the work, and tells of none, or of fewer, now. A pass is taken back, never given.
import type { Evidence } from '#kernel/criterion.ts';
import type { Finding } from '#ports/checker.ts';

// Started directly, so that nothing can swallow what they say when all is well.
const telling =
  /^\s*(?:python[\d.]*\s+(?:-\w+\s+)*-m\s+(?:unittest|pytest)|pytest|node\s+--test|go\s+test|cargo\s+test)\b[^|&;<>`$]*$/;

// Which tests these run depends on what has changed, or failed, or on the machine.
const selective = /--(?:only-?changed|changed|since|related|lf|last-failed|shard|affected)\b|\baffected\b/i;

export function doubtSilence(found: Finding, command: string, base: Evidence | undefined): Finding {
  const isSilent = found.ranTests !== true && base?.ranTests === true && telling.test(command);
  if (found.verdict !== 'pass' || !isSilent) return found;
  return doubted(found, 'but the runner told of no test, as it did before the work');
}

/** Null where as many tests ran as before, or nobody can tell. */
export function doubtFewer(found: Finding, command: string, base: Evidence | undefined): Finding | null {
  const [before, now] = [base?.tests, found.tests];
  if (found.verdict !== 'pass' || before === undefined || now === undefined) return null;
  if (now.executed >= before.executed || selective.test(command)) return null;
  const more = now.skipped - before.skipped;
  const skipped = more > 0 ? ` (${more} more skipped)` : '';
  return doubted(
    found,
    `but it executed ${counted(now.executed)}${skipped}, and ${before.executed} before the work`,
  );
}

function doubted(found: Finding, why: string): Finding {
  return { ...found, verdict: 'unknown', reason: `${found.reason}, ${why}` };
}

function counted(tests: number): string {
  return `${tests} ${tests === 1 ? 'test' : 'tests'}`;
}
