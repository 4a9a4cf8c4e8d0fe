import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A configuration of its own: these tests need the real clients, which `npm test` does not install.
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export default defineConfig({
  root,
  test: {
    name: 'agents',
    // As in `npm test`: what we start is compiled once.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node-compile') },
    include: ['test/e2e/agents/**/*.test.ts'],
    globalSetup: ['test/e2e/agents/setup.ts'],
    // A client takes a core while it starts; more of them at once only wait for each other.
    maxWorkers: 2,
    // As in `npm test`: limits only end what hangs.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
});
