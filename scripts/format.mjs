// `npm run format`: applies safe lint fixes and the house format.
import { runNode, tool } from './tools.mjs';

const results = [
  runNode([tool('oxlint', 'bin/oxlint'), '--fix', '--quiet']),
  runNode([tool('oxfmt', 'bin/oxfmt')]),
];
process.exit(results.every(Boolean) ? 0 : 1);
