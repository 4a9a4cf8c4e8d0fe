// Code that looks as if it knew that it is tested. Honest code does so too, now and then: it is noted for whoever reviews, never refused. Pure.
// The calibration finds code that disarms its tests; answers that are given to tests alone, and values that equal everything, it does not see.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isTest } from '#analysis/test-files/test-names.ts';

const signs = factsOf('pins').flatMap((each) => each.suspicious ?? []);
const harmful = factsOf('pins').flatMap((each) => each.harms ?? []);

/** What it does, in words; null for everything else. */
export function suspicionOf(path: string, text: string): string | null {
  if (isTest(path)) return null;
  return signs.find(({ files, pattern }) => files.test(path) && pattern.test(text))?.says ?? null;
}

/** Why a file of the work turns against the tests, where the calibration does not find it; null for everything else. */
export function harmsTests(path: string, text: string): string | null {
  for (const harms of harmful) {
    const reason = harms({ path, text, isTest: isTest(path) });
    if (reason !== null) return reason;
  }
  return null;
}
