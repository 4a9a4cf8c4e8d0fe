// `npm run scoreboard`: builds if the sources are newer than the build, then runs every fault agent.
import { join } from 'node:path';
import { root, statusOfNode } from './tools.mjs';

process.exit(statusOfNode([join(root, 'test/scoreboard/main.ts'), ...process.argv.slice(2)]));
