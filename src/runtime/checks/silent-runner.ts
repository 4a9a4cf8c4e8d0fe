// Detects tests that were reported on the base and are missing now. Only takes a pass back, never gives one.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Finding } from '#ports/checker.ts';

/**
 * Shows a runner's output only on failure, so that a red base names tests and green work does not. Many quiet
 * runners still print how many tests they ran. A script that hides output itself cannot be recognized: its
 * check is doubted.
 */
const hidesSuccess: readonly RegExp[] = [
  /[<|`]|\$\(|(?<!2)>(?!&)/,
  ...factsOf('tests').flatMap((each) => each.hidesSuccess ?? []),
];

// Which tests these run depends on earlier changes or failures, or on the machine.
const selective = /--(?:only-?changed|changed|since|related|lf|last-failed|shard|affected)\b|\baffected\b/i;

export function doubtSilence(found: Finding, command: string, base: Evidence | undefined): Finding {
  const isSilent = base?.ranTests === true && found.ranTests !== true;
  if (found.verdict !== 'pass' || !isSilent || selective.test(command)) return found;
  if (base.verdict !== 'pass' && hidesSuccess.some((pattern) => pattern.test(command))) return found;
  return doubted(found, 'but no test was reported, though tests were reported before the work');
}

/** Null if as many tests ran as before, or if the numbers are unknown. */
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
