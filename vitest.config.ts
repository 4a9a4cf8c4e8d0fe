import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The longest first: begun last, it would run alone while the other cores wait. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/scoreboard/');
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

// Three projects, because the place of a test tells its kind: beside the source it is quick and touches
// nothing; under test/ it may start processes and live whole runs; under test/e2e/ it drives the packed program.
const env = {
  // A sandbox around every run costs a start of bubblewrap and of a bridge each time; its own tests ask for it, and
  // `UNTILDONE_SANDBOX=auto npx vitest run …` asks for all.
  UNTILDONE_SANDBOX: process.env['UNTILDONE_SANDBOX'] ?? 'none',
  // Our program is started many hundred times, often from its sources: Node strips and compiles each file once.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)),
};

export default defineConfig({
  test: {
    // One more than there are cores: most tests of whole runs wait for processes of their own.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          env,
          include: ['src/**/*.test.ts'],
          // What takes a second alone may take many beside others on a busy machine; a hang takes for ever.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'whole',
          env,
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          env,
          include: ['test/e2e/**/*.test.ts'],
          // The real clients: `npm run test:agents`.
          exclude: ['test/e2e/agents/**'],
          globalSetup: ['test/e2e/setup-package.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
