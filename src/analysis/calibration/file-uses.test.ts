import { describe, expect, it } from 'vitest';
import { loadsModule, useOf } from './file-uses.ts';

describe('files that a test names', () => {
  it.each([
    ['done.sql', "assert.match(readFileSync('done.sql', 'utf8'), /done/);"],
    ['done.sql', "assert.ok(/done/.exec(readFileSync(join(root, 'done.sql'), 'utf8')));"],
    ['db/done.sql', 'const text = await readFile(`${root}/db/done.sql`);'],
    ['done.sh', "const file = new URL('../done.sh', import.meta.url);\nassert.ok(existsSync(file));"],
    ['done.sh', "readFileSync(\n  'done.sh',\n  'utf8',\n);"],
    ['src/done.mjs', "const text = read('src/done.mjs');"],
    ['done.sql', "readFileSync(__dirname + '/../done.sql');"],
    ['done.tf', "for (const name of ['done.tf']) check(name);"],
  ])('A file that a JavaScript test reads is recognised: %s by %s [X8]', (path, text) => {
    expect(useOf({ path: 'test/a.test.mjs', text }, path)).toBe('reads');
  });

  it.each([
    ['src/done.mjs', "import { done } from '../src/done.mjs';"],
    ['src/done.ts', "import { done } from '../src/done.js';"],
    ['src/done/index.ts', "const done = require('../src/done');"],
    ['src/done.mjs', "const { done } = await import('../src/done.mjs');"],
    ['greet.sh', "execFileSync('sh', ['greet.sh', 'Ann']);"],
    ['src/cli.mjs', "const cli = join(root, 'src/cli.mjs');\nspawnSync(process.execPath, [cli, '--help']);"],
    ['src/cli.mjs', "execSync('node src/cli.mjs --help');"],
    ['done.sql', "const sql = 'done.sql';\nrunMigration(sql);"],
    ['src/done.mjs', "import '../src/done.mjs';\nreadFileSync('src/done.mjs');"],
  ])('A file that a JavaScript test runs is recognised: %s by %s [X7]', (path, text) => {
    expect(useOf({ path: 'test/a.test.mjs', text }, path)).toBe('runs');
  });

  it.each([
    ['tests/test_a.py', 'done.sql', 'assert Path("done.sql").read_text() == "done"', 'reads'],
    ['tests/test_a.py', 'a/done.sh', 'assert (ROOT / "a/done.sh").exists()', 'reads'],
    ['tests/test_a.py', 'done.py', 'with open("done.py") as file:\n    pass', 'reads'],
    ['tests/test_a.py', 'shop/done.py', 'from shop.done import STATUS', 'runs'],
    ['tests/test_a.py', 'shop/done.py', 'from shop import done', 'runs'],
    ['tests/test_a.py', 'greet.sh', 'subprocess.run(["sh", "greet.sh"])', 'runs'],
    ['tests/a.rs', 'done.sql', 'let text = include_str!("../done.sql");', 'reads'],
    ['tests/a.rs', 'greet.sh', 'let out = Command::new("./greet.sh").output();', 'runs'],
    ['tests/a.test.sh', 'done.sql', 'if grep -q done done.sql; then exit 0; fi', 'reads'],
    ['tests/a.test.sh', 'greet.sh', '[ -x greet.sh ] || exit 1\n[ "$(./greet.sh)" = hi ]', 'runs'],
    ['tests/a.bats', 'done.sql', 'run cat "$BATS_TEST_DIRNAME/../done.sql"', 'reads'],
    ['tests/test_a.py', 'shop/done.py', 'from shop import (\n    done,\n)', 'runs'],
    ['spec/a_spec.rb', 'lib/done.rb', "require_relative '../lib/done'", 'runs'],
    ['tests/a.bats', 'greet.sh', 'run ./greet.sh', 'runs'],
  ])('The use of a file is recognised in other languages: in %s, %s, by %s', (test, path, text, use) => {
    expect(useOf({ path: test, text }, path)).toBe(use);
  });

  it('A named file is not known to be read without a word that says so, and not used if a comment names it', () => {
    const path = 'test/a.test.mjs';
    expect(useOf({ path, text: "check('src/done.mjs');" }, 'src/done.mjs')).toBe('unknown');
    expect(useOf({ path, text: "// readFileSync('src/done.mjs')\n" }, 'src/done.mjs')).toBeNull();
    expect(useOf({ path, text: "test('done.sql', () => {\n  migrate();\n});" }, 'done.sql')).toBeNull();
    expect(useOf({ path, text: "readFileSync('src/other.mjs');" }, 'src/done.mjs')).toBeNull();
  });

  it('A file is loaded by its own name, not by a part of another', () => {
    expect(loadsModule("export * from './limits.js';", 'src/limits.ts')).toBe(true);
    expect(loadsModule("export * from './more-limits.js';", 'src/limits.ts')).toBe(false);
    expect(loadsModule('import other_limits\n', 'shop/limits.py')).toBe(false);
  });
});
