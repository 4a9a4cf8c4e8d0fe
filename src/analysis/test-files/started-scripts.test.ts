import { expect, it } from 'vitest';
import { pathsIn, startedScripts } from './started-scripts.ts';

it.each([
  ['sh ./tests/run.sh', 'tests/run.sh'],
  ['sh "$(dirname "$0")"/tests/run.sh', 'tests/run.sh'],
  ['sh "${here}/../tests/run.sh" || exit 1', 'tests/run.sh'],
  ['\t@for t in tests/*.sh; do sh "$$t"; done', 'tests/*.sh'],
])('The words of `%s` name %s', (text, path) => {
  expect(pathsIn(text)).toContain(path);
});

it('A script is started by its path from the root or from another folder, and other files are not', () => {
  const paths = ['sub/run.sh', 'run.sh', 'sub/tests/check', 'src/run.js', 'xrun.sh'];
  expect(startedScripts(['cd sub && sh run.sh && tests/check && node src/run.js'], paths)).toEqual([
    'sub/run.sh',
    'run.sh',
    'sub/tests/check',
  ]);
});
