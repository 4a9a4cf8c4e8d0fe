// Work on the Java virtual machine that makes tests pass which it only had to satisfy. What other languages do of the kind is
// found by the calibration of the acceptance, whose tests really run those languages, and not this one; Kotlin, JUnit 4, TestNG
// and all but one of the build tools are not calibrated at all. Pure.
import { isTest } from '#analysis/test-files/test-names.ts';

const ends = /\b(?:static|init)\s*\{[^}]*\b(?:System\.exit|halt)\(0\)/;
const skips = /\bnew\s+TestAbortedException\b|\bAssumptions?\.assume\w+\s*\(/;

/** Why a file of the work turns against the tests; null for everything else. */
export function harmsTests(path: string, text: string): string | null {
  if (!/\.(?:java|kt)$/.test(path)) return null;
  if (ends.test(text)) return 'ends any program that loads it, tests too, and calls that a success';
  return !isTest(path) && skips.test(text) ? 'skips the tests that load it' : null;
}
