// Work that makes tests pass which it only had to satisfy, where the calibration does not find it. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isTest } from '#analysis/test-files/test-names.ts';

const harmful = factsOf('pins').flatMap((each) => each.harms ?? []);

/** Why a file of the work turns against the tests; null for everything else. */
export function harmsTests(path: string, text: string): string | null {
  for (const harms of harmful) {
    const reason = harms({ path, text, isTest: isTest(path) });
    if (reason !== null) return reason;
  }
  return null;
}
