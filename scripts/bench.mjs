// `npm run bench`: builds if the sources are newer than the build, then measures.
import { join } from 'node:path';
import { buildWhenStale } from './build.mjs';
import { root, statusOfNode } from './tools.mjs';

await buildWhenStale();
process.exit(statusOfNode([join(root, 'bench/main.ts'), ...process.argv.slice(2)]));
