// The border between the files that a check inspects and the files that decide it, attacked from both sides.
import { describe, expect, it } from 'vitest';
import { isNamedWork } from './named-work.ts';

describe('files that a command names', () => {
  it.each([
    ['grep -q hello README.md', 'README.md'],
    ['test -f docs/guide.md && grep -q "x" docs/guide.md', 'docs/guide.md'],
    ['[ -s out.txt ]', 'out.txt'],
    ['npx eslint index.js', 'index.js'],
    ['node --check server.mjs', 'server.mjs'],
    ['jq -e .version package.yaml', 'package.yaml'],
    ['node greet.js | grep -q hello', 'greet.js'],
    ['node greet.js | diff - expected.txt', 'greet.js'],
    ['node greet.js > out.txt && diff out.txt expected.txt', 'greet.js'],
    ['test "$(sh greet.sh)" = hello', 'greet.sh'],
    ['[ "$(node greet.js)" = "$(cat want.txt)" ]', 'greet.js'],
    ['test "$(cat VERSION)" = 2.0.0', 'VERSION'],
    ['node src/cli.js --version', 'src/cli.js'],
    ['node src/validate.js sample.json', 'src/validate.js'],
    ['cd app && node lib/run.js | grep ok', 'app/lib/run.js'],
  ])('A file is the work if a command only uses it: %s names %s [X8]', (command, path) => {
    expect(isNamedWork(path, { command })).toBe(true);
  });

  it.each([
    ['node prove.mjs', 'prove.mjs'],
    ['python3 grade.py | tail -1', 'grade.py'],
    ['set -o pipefail; node rate.mjs | tee log.txt', 'rate.mjs'],
    ['node scripts/check.js | grep -q PASS', 'scripts/check.js'],
    ['node src/check.js | grep -q PASS', 'src/check.js'],
    ['sh lib/grade.sh', 'lib/grade.sh'],
    ['node greet.js | diff - expected.txt', 'expected.txt'],
    ['node greet.js | diff - want.txt', 'want.txt'],
    ['node greet.js > out.txt && cmp out.txt want.txt', 'want.txt'],
    ['[ "$(node greet.js)" = "$(cat want.txt)" ]', 'want.txt'],
    ['grep -f patterns.txt src/a.js', 'patterns.txt'],
    ['eslint --config rules.mjs src', 'rules.mjs'],
    ['node rate.mjs $(cat list.txt)', 'rate.mjs'],
    ['make -f build.mk all', 'build.mk'],
    ['./run.sh', 'run.sh'],
    ['grep -q x a.txt && node rate.mjs', 'rate.mjs'],
    ['node rate.mjs | grep x; node rate.mjs', 'rate.mjs'],
    ['cat limits.json', 'limits.json'],
  ])('A file that a command names decides the check: %s names %s [X8]', (command, path) => {
    expect(isNamedWork(path, { command })).toBe(false);
  });
});

describe('files that a test or a script names', () => {
  it.each([
    ['test/a.test.js', 'src/a.js'],
    ['test/a.test.js', 'src/helpers/text.js'],
    ['test/a.test.js', 'app/support/tickets.rb'],
    ['test/a.test.js', 'index.js'],
    ['scripts/check.sh', 'README.md'],
    ['scripts/check.sh', 'src/cli.js'],
  ])('A file is the work if a test or script only uses it: %s names %s [X8]', (file, path) => {
    expect(isNamedWork(path, { file })).toBe(true);
  });

  it.each([
    ['test/a.test.js', 'golden/out.json'],
    ['test/a.test.js', 'expected/out.json'],
    ['test/a.test.js', 'src/fixtures/in.json'],
    ['test/a.test.js', 'support/server.js'],
    ['test/a.test.js', 'tools/compare.js'],
    ['scripts/check.sh', 'scripts/data.txt'],
    ['scripts/check.sh', 'config/limits.toml'],
    ['check.sh', 'expected.txt'],
    ['check.sh', 'verify.mjs'],
  ])('A file that a test or script names decides the check: %s names %s [X8]', (file, path) => {
    expect(isNamedWork(path, { file })).toBe(false);
  });
});
