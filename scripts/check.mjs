// `npm run check`: runs format, lint, types, dead code, lock and tidy, then names the failed ones.
import { join } from 'node:path';
import { root, runNode, tool } from './tools.mjs';

const stages = [
  { name: 'format', run: [tool('oxfmt', 'bin/oxfmt'), '--check'] },
  { name: 'lint', run: [tool('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'types', run: [tool('typescript', 'bin/tsc'), '-p', 'tsconfig.json'] },
  { name: 'dead code', run: [tool('knip', 'bin/knip.js'), '--no-progress'] },
  { name: 'lock', run: [join(root, 'scripts/check-lock.mjs')] },
  { name: 'tidy', run: [tool('vitest', 'vitest.mjs'), 'run', 'test/tidy'] },
];

/**
 * Runs the stages in order and returns the names of those that failed.
 * @param {{ except?: string[] }} options
 */
export function runStages({ except = [] } = {}) {
  return stages
    .filter(({ name }) => !except.includes(name))
    .filter(({ name, run }) => {
      console.log(`\ncheck: ${name}`);
      return !runNode(run);
    })
    .map(({ name }) => name);
}

if (import.meta.main) {
  const failed = runStages();
  console.log(failed.length === 0 ? '\nAll checks pass.' : `\nFailed: ${failed.join(', ')}.`);
  process.exit(failed.length === 0 ? 0 : 1);
}
