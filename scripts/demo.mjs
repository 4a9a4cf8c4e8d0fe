// `npm run demo`: builds if the sources are newer than the build, then runs the demonstration.
import { join } from 'node:path';
import { buildWhenStale } from './build.mjs';
import { root, statusOfNode } from './tools.mjs';

await buildWhenStale();
process.exit(statusOfNode([join(root, 'bin/untildone.js'), 'demo', ...process.argv.slice(2)]));
