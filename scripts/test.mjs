// `npm test`: the checks, the build, then every test. With arguments: only vitest, which gets them.
// The last line is always `N passed, N failed, N skipped`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from './build.mjs';
import { runStages } from './check.mjs';
import { root, runNode, tool } from './tools.mjs';

const args = process.argv.slice(2);
const failedStages = args.length > 0 ? await failuresBeforeSome() : failuresBeforeTests();
const isHopeless = args.length === 0 && failedStages.includes('build');
const tests = isHopeless ? { passed: 0, failed: 0, skipped: 0 } : runTests();
const failed = tests.failed + failedStages.length;

if (failedStages.length > 0) console.log(`\nFailed besides the tests: ${failedStages.join(', ')}.`);
console.log(`\n${tests.passed} passed, ${failed} failed, ${tests.skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);

/** Tests beside the sources need no build, and others may start the built program. */
async function failuresBeforeSome() {
  const needsBuild = args.some((arg) => arg.startsWith('test'));
  if (!needsBuild) return [];
  return buildWhenStale().then(
    () => [],
    () => ['build'],
  );
}

function failuresBeforeTests() {
  const failed = runStages({ except: ['tidy'] }); // the tidy test is among the tests below
  console.log('\nbuild');
  if (!runNode([join(root, 'scripts/build.mjs')])) return [...failed, 'build'];
  return runNode([tool('publint', 'src/cli.js')]) ? failed : [...failed, 'package'];
}

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-test-'));
  const countsFile = join(folder, 'counts.json');
  const passed = runNode(
    [
      tool('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      `--reporter=${join(root, 'scripts/counts-reporter.mjs')}`,
      ...args,
    ],
    { env: { ...process.env, TEST_COUNTS_FILE: countsFile } },
  );
  const counts = readCounts(countsFile);
  rmSync(folder, { recursive: true, force: true });
  // vitest may refuse a run in which every counted test passed (an unmet option, no test found).
  if (!passed && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** @param {string} file */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
