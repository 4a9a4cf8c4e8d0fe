// `npm run format`: writes what a machine can: safe lint fixes, the house format, docs/behaviours.md.
import { join } from 'node:path';
import { root, runNode, tool } from './tools.mjs';

const results = [
  runNode([tool('oxlint', 'bin/oxlint'), '--fix', '--quiet']),
  runNode([tool('oxfmt', 'bin/oxfmt')]),
  runNode([join(root, 'scripts/behaviours.mjs')]),
];
process.exit(results.every(Boolean) ? 0 : 1);
