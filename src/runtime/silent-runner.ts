// A test runner that always tells what it ran, told so before the work, and ends well without a word now.
import type { Evidence } from '#kernel/criterion.ts';
import type { Finding } from '#ports/checker.ts';

// Started directly, so that nothing can swallow what they say when all is well.
const telling =
  /^\s*(?:python[\d.]*\s+(?:-\w+\s+)*-m\s+(?:unittest|pytest)|pytest|node\s+--test|go\s+test|cargo\s+test)\b[^|&;<>`$]*$/;

/** Contract: takes a pass back, never gives one. */
export function doubtSilence(found: Finding, command: string, base: Evidence | undefined): Finding {
  const isSilent = found.ranTests !== true && base?.ranTests === true && telling.test(command);
  if (found.verdict !== 'pass' || !isSilent) return found;
  const reason = `${found.reason}, but the runner told of no test, as it did before the work`;
  return { ...found, verdict: 'unknown', reason };
}
