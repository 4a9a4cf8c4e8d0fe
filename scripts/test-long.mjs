// `npm run test:long`: tests with large counts and the full scoreboard, then planted faults (CI: a sample).
// The last line is always `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './tools.mjs';
import { filesThatCount } from './files-that-count.mjs';
import { duration, runVitest } from './vitest.mjs';

const startedMs = Date.now();
const long = runVitest(process.argv.length > 2 ? process.argv.slice(2) : filesThatCount(), {
  UNTILDONE_TEST_LONG: '1',
});
const faults = process.argv.length > 2 ? 0 : mutants();
console.log(`\n${duration(startedMs, long.cpuSeconds)}`);
const failed = long.failed + faults;
console.log(`${long.passed} passed, ${failed} failed, ${long.skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);

function mutants() {
  const sample = process.env['CI'] === 'true' ? ['--sample', '10'] : [];
  const ended = spawnSync(process.execPath, [join(root, 'scripts/mutants.mjs'), ...sample], {
    cwd: root,
    stdio: 'inherit',
  });
  return ended.status === 0 ? 0 : 1;
}
