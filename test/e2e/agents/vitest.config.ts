import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A configuration of its own: these tests need the real clients, which `npm test` does not install.
export default defineConfig({
  root: dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))),
  test: {
    name: 'agents',
    include: ['test/e2e/agents/**/*.test.ts'],
    globalSetup: ['test/e2e/agents/setup.ts'],
    // A client takes a core while it starts; more of them at once only wait for each other.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
