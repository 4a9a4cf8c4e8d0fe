import { expect, it } from 'vitest';
import { isShellTest, testStarters } from './shell-tests.ts';

it.each([
  ['a comparison with a number', '. src/add.sh\n[ "$(add 2 3)" = 5 ] || exit 1\n'],
  ['a comparison with a program', '[ "$(sh src/add.sh 3 4)" = 7 ] || exit 1\n'],
  ['two brackets', '[[ "$(./calc add 3 4)" == "7" ]] || { echo wrong; exit 1; }\n'],
  ['the word test', 'test "$(node cli.js 1 2)" != 3 && exit 1\n'],
  ['a condition', 'if [ "$(sh src/add.sh 3 4)" != 7 ]; then\n  echo wrong\n  exit 1\nfi\n'],
  ['set -e', 'set -eu\n[ "$(sh src/add.sh 3 4)" = 7 ]\necho fine\n'],
  ['the status of the last line', '[ "$(sh src/add.sh 3 4)" -eq 7 ]\n'],
  ['a result that is kept first', 'got=$(sh src/add.sh 3 4)\n[ "$got" = 7 ] || exit 1\n'],
  ['an expected file', 'sh src/report.sh > out\ndiff out cases/expected.txt || exit 1\n'],
  ['a loop over tests', 'for t in tests/*.test.sh; do sh "$t" || exit 1; done\n'],
  ['a loop over named tests', 'for t in ./tests/a.sh ./tests/b.sh; do\n  run_one "$t"\ndone\n'],
])('A shell script is a test or runs tests by its text: %s [X8]', (_, text) => {
  expect(isShellTest('lib/steps.sh', text)).toBe(true);
  expect(isShellTest('lib/steps', `#!/usr/bin/env bash\n${text}`)).toBe(true);
});

it.each([
  ['it checks its arguments', '[ $# -eq 2 ] || exit 1\necho $(($1 + $2))\n'],
  ['it checks the system', '[ "$(uname)" = Linux ] || exit 1\n'],
  ['it checks the user', '[ "$(id -u)" -eq 0 ] || { echo "run as root"; exit 1; }\n'],
  ['it looks for a tool', 'test "$(command -v jq)" != "" || exit 1\n'],
  ['it asks git', '[ "$(git status --porcelain | wc -l)" -eq 0 ] || exit 1\n'],
  ['it asks for a version', '[ "$(node --version)" = v22.0.0 ] || exit 1\n'],
  [
    'it asks its settings before it works',
    '. ./lib/config.sh\n[ "$(config_get mode)" = prod ] || exit 1\nrsync -a dist/ "$HOST:"\nssh "$HOST" restart\n',
  ],
  ['it compares two variables', '[ "$a" = "$b" ] || exit 1\n'],
  ['it fails for nothing', 'if [ "$(sh get.sh)" = 5 ]; then\n  go\n  make\n  run\n  stop\nfi\n'],
  ['it loops over files', 'for f in src/*.sh dist/*; do cp "$f" out/; done\n'],
  ['it leaves tests out', 'tar --exclude tests/ -cf out.tar .\n'],
  ['it only says so', '# [ "$(add 2 3)" = 5 ] || exit 1\nadd() { echo $(($1 + $2)); }\n'],
])('A shell script of the product is no test: %s [X8]', (_, text) => {
  expect(isShellTest('bin/tool.sh', text)).toBe(false);
});

it('Text in other languages is no shell test [X8]', () => {
  expect(isShellTest('notes.md', '[ "$(add 2 3)" = 5 ] || exit 1\n')).toBe(false);
  expect(isShellTest('tool', '#!/usr/bin/perl\n[ "$(add 2 3)" = 5 ] || exit 1\n')).toBe(false);
});

it('A script that defines functions for each test of another script runs tests; sourced product code does not [X8]', () => {
  const texts = new Map([
    ['steps.sh', '. ./lib/one.sh\n. ./src/add.sh\nfor t in tests/*.sh; do run_one "$t" || exit 1; done\n'],
    ['lib/one.sh', 'run_one() {\n  sh "$1"\n}\n'],
    ['other/two.sh', 'run_one() {\n  sh "$1"\n}\n'],
    ['src/add.sh', 'add() {\n  echo $(($1 + $2))\n}\n'],
  ]);
  expect(testStarters(texts)).toEqual(['lib/one.sh']);
});
