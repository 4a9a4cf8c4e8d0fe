// A vitest reporter that writes the counts of a run to a file, for the last line of `npm test`.
import { writeFileSync } from 'node:fs';

export default class CountsReporter {
  /** @type {NonNullable<import('vitest/node').Reporter['onTestRunEnd']>} */
  onTestRunEnd = (modules, unhandledErrors) => {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      // A file that does not even load has no tests to count, and is still a failure.
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        counts[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
      }
    }
    writeFileSync(process.env.TEST_COUNTS_FILE ?? 'counts.json', JSON.stringify(counts));
  };
}
