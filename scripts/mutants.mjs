// `npm run mutants`: plants every fault of test/mutants in a copy; fails unless the named test notices it.
import { join } from 'node:path';
import { root, statusOfNode } from './tools.mjs';

process.exit(statusOfNode([join(root, 'test/mutants/main.ts'), ...process.argv.slice(2)]));
