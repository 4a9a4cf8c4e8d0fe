import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A configuration of its own: it writes fixtures, so it is started by hand and never by `npm test`.
//   npx vitest run --config test/journals/recording/vitest.config.ts [-t NAME]
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export default defineConfig({
  root,
  test: {
    name: 'recording',
    env: {
      UNTILDONE_SANDBOX: 'none',
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile'),
    },
    include: ['test/journals/recording/*.recording.ts'],
    // The views come after the journals that they show.
    fileParallelism: false,
    globalSetup: ['test/e2e/setup-package.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
