// `npm test`: the checks, the build, then every test. With arguments: only vitest, which gets them.
// The last line is always `N passed, N failed, N skipped`.
import { join } from 'node:path';
import { runStages } from './check.mjs';
import { root, runNode, tool } from './tools.mjs';
import { filesThatCount } from './files-that-count.mjs';
import { duration, runVitest } from './vitest.mjs';

const startedMs = Date.now();
const args = process.argv.slice(2);
const failedStages = args.length > 0 ? [] : failuresBeforeTests();
const isHopeless = failedStages.includes('build');
const tests = isHopeless ? { passed: 0, failed: 0, skipped: 0, cpuSeconds: 0 } : runVitest(args, leftOut());
const failed = tests.failed + failedStages.length;

if (failedStages.length > 0) console.log(`\nFailed besides the tests: ${failedStages.join(', ')}.`);
console.log(`\n${duration(startedMs, tests.cpuSeconds)}`);
console.log(`${tests.passed} passed, ${failed} failed, ${tests.skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);

/** Where `npm run test:long` has just passed, its files need not run again with smaller counts. */
function leftOut() {
  if (process.env['UNTILDONE_LONG_PASSED'] !== '1' || args.length > 0) return {};
  const files = filesThatCount();
  console.log(`Left out, because test:long has passed with larger counts: ${files.join(', ')}`);
  return { UNTILDONE_TEST_EXCLUDE: files.join(':') };
}

function failuresBeforeTests() {
  const failed = runStages({ except: ['tidy'] }); // the tidy test is among the tests below
  console.log('\nbuild');
  if (!runNode([join(root, 'scripts/build.mjs')])) return [...failed, 'build'];
  return runNode([tool('publint', 'src/cli.js')]) ? failed : [...failed, 'package'];
}
