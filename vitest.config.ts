import { fileURLToPath } from 'node:url';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The files that take longest start first: started last, one would run alone while the other cores wait. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number =>
      longest.findIndex((place) => moduleId.includes(place));
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

const longest = ['/test/scoreboard/', '/test/e2e/', '/test/', '/src/surfaces/', '/src/adapters/', ''];

const env = {
  // A sandbox around every run costs a start of bubblewrap and of a bridge each time; its own tests ask for it, and
  // `UNTILDONE_SANDBOX=auto npx vitest run …` asks for all.
  UNTILDONE_SANDBOX: process.env['UNTILDONE_SANDBOX'] ?? 'none',
  // Our program is started many hundred times: Node compiles each file once.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/node-compile', import.meta.url)),
  // Checks in Go run in a home of their own, where Go would compile its library anew.
  GOCACHE: fileURLToPath(new URL('node_modules/.cache/go-build', import.meta.url)),
};

// The folder of a test decides its kind. The limits only end a test that hangs: a busy machine takes many times as long.
const pure = ['base', 'kernel', 'policies', 'views', 'analysis', 'tasks', 'config'].map(
  (folder) => `src/${folder}/**/*.test.ts`,
);
/** Files that have just passed with larger counts, from `npm test`. */
const passed = (process.env['UNTILDONE_TEST_EXCLUDE'] ?? '').split(':').filter((file) => file !== '');
const limits = {
  testTimeout: 1_800_000,
  hookTimeout: 1_800_000,
  expect: { poll: { timeout: 300_000 } },
};

export default defineConfig({
  test: {
    // One more than there are cores: most tests of whole runs wait for processes of their own.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Tests of pure functions share a worker's modules; loading these anew for each file took half of their time.
        test: { name: 'pure', env, include: pure, isolate: false, ...limits },
      },
      {
        test: {
          name: 'unit',
          env,
          include: ['src/**/*.test.ts'],
          exclude: [...pure, ...passed],
          globalSetup: ['test/support/build-program.ts'],
          ...limits,
        },
      },
      {
        test: {
          name: 'whole',
          env,
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', ...passed],
          globalSetup: ['test/support/build-program.ts'],
          ...limits,
        },
      },
      {
        test: {
          name: 'e2e',
          env,
          include: ['test/e2e/**/*.test.ts'],
          // The real clients: `npm run test:agents`.
          exclude: ['test/e2e/agents/**', ...passed],
          globalSetup: ['test/e2e/setup-package.ts'],
          ...limits,
        },
      },
    ],
  },
});
