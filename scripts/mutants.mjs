// `npm run mutants`: plants every fault of test/mutants in a copy, and fails unless the test that it names notices it.
import { join } from 'node:path';
import { root, statusOfNode } from './tools.mjs';

process.exit(statusOfNode([join(root, 'test/mutants/main.ts'), ...process.argv.slice(2)]));
