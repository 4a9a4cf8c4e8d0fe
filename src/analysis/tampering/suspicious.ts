// Finds code that seems to know that it is tested. Honest code may do so too: it is noted for
// reviewers, never refused. Pure. Calibration misses answers for tests alone, and values equal to everything.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isTest } from '#analysis/test-files/test-names.ts';

const signs = factsOf('pins').flatMap((each) => each.suspicious ?? []);
const harmful = factsOf('pins').flatMap((each) => each.harms ?? []);

/** A description of the suspicion; null if there is none. */
export function suspicionOf(path: string, text: string): string | null {
  if (isTest(path)) return null;
  return signs.find(({ files, pattern }) => files.test(path) && pattern.test(text))?.says ?? null;
}

/** Why a file of the work harms the tests in a way that calibration does not find; null for all others. */
export function harmsTests(path: string, text: string): string | null {
  for (const harms of harmful) {
    const reason = harms({ path, text, isTest: isTest(path) });
    if (reason !== null) return reason;
  }
  return null;
}
