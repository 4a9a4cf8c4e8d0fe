// Added Rust unit tests inside product files: their modules are separated from the product, so that they can run
// on the base.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addedTestsIn, calibrateReviewed, type Files } from '#test/calibration-bed.ts';
import type { Calibration } from '#kernel/model/calibration.ts';

const hasCargo = spawnSync('cargo', ['--version']).status === 0;
if (!hasCargo) process.stderr.write('NOT RUN: cargo is missing; unit tests in Rust are not tested.\n');

const manifest: Files = {
  '.gitignore': 'target\nCargo.lock\n',
  'Cargo.toml': '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
};
const testsOf = (...bodies: string[]): string => {
  const tests = bodies.map((body, at) => `    #[test]\n    fn t${at}() {\n        ${body}\n    }\n`);
  return `\n#[cfg(test)]\nmod tests {\n    #[allow(unused_imports)]\n    use super::*;\n\n${tests.join('\n')}}\n`;
};
const gap = 'pub fn gap(a: i64, b: i64) -> i64 {\n    a - b\n}\n';
const wide = 'pub fn gap(a: i64, b: i64) -> i64 {\n    (a - b).abs()\n}\n';
const shout = 'pub fn shout(text: &str) -> String {\n    text.to_uppercase()\n}\n';
const old = 'assert_eq!(gap(3, 1), 2);';
const base: Files = { ...manifest, 'src/lib.rs': gap + testsOf(old) };

async function accept(work: Files, from: Files = base): Promise<Calibration | undefined> {
  return addedTestsIn(await calibrateReviewed({ base: from, work, check: 'cargo test --offline --lib' }));
}

describe.skipIf(!hasCargo)('New unit tests in Rust', () => {
  it('New unit tests in Rust count if they fail on the old product code by an assertion [X7]', async () => {
    expect(await accept({ 'src/lib.rs': wide + testsOf(old, 'assert_eq!(gap(1, 3), 2);') })).toMatchObject({
      verdict: 'passed',
      reason: 'Added tests fail on the base and pass now.',
      files: ['src/lib.rs'],
    });
  });

  it('New unit tests in Rust count for a new function or file if they fail when it is broken [X7]', async () => {
    const reason =
      'Added tests do not load on the base, pass now, and fail with the code of the work broken.';
    const call = 'assert_eq!(shout("a"), "A");';
    expect(await accept({ 'src/lib.rs': gap + shout + testsOf(old, call) })).toMatchObject({
      verdict: 'passed',
      reason,
    });
    const work = {
      'src/lib.rs': `pub mod loud;\n${gap}${testsOf(old)}`,
      'src/loud.rs': shout + testsOf(call),
    };
    expect(await accept(work)).toMatchObject({ verdict: 'passed', reason, files: ['src/loud.rs'] });
  });

  it('New unit tests in Rust count for a new crate whose root only names its modules [X7]', async () => {
    const crate = (name: string): string =>
      `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`;
    const pair =
      'pub struct Pair(pub i32, pub i32);\n\nimpl Pair {\n    pub fn parse(text: &str) -> Result<Self, String> {\n        let (a, b) = text.split_once(\',\').ok_or("no comma")?;\n        let number = |part: &str| part.parse().map_err(|_| "no number".to_string());\n        Ok(Pair(number(a)?, number(b)?))\n    }\n}\n';
    const from: Files = {
      '.gitignore': 'target\nCargo.lock\n',
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n',
      'crates/a/Cargo.toml': crate('a'),
      'crates/a/src/lib.rs': gap + testsOf(old),
    };
    const work: Files = {
      'crates/b/Cargo.toml': crate('b'),
      'crates/b/src/lib.rs': 'mod pair;\npub use pair::Pair;\n',
      'crates/b/src/pair.rs': pair + testsOf('assert_eq!(Pair::parse("1,2").unwrap().1, 2);'),
    };
    expect(await accept(work, from)).toMatchObject({ verdict: 'passed', files: ['crates/b/src/pair.rs'] });
  });

  it('New unit tests in Rust count as added tests if the base had no crate [X7]', async () => {
    const work = { ...manifest, 'src/lib.rs': shout + testsOf('assert_eq!(shout("a"), "A");') };
    expect(await accept(work, { 'README.md': 'x\n' })).toMatchObject({
      verdict: 'passed',
      restsOnAddedFiles: true,
    });
  });

  it.each<[string, Files, string]>([
    [
      'they pass on the old product code',
      { 'src/lib.rs': wide + testsOf(old, 'assert_eq!(gap(5, 1), 4);') },
      'passes on the base with the added tests',
    ],
    [
      'they stand in a new file and test old code',
      {
        'src/lib.rs': `pub mod loud;\n${wide}${testsOf(old)}`,
        'src/loud.rs': shout + testsOf('assert_eq!(crate::gap(5, 1), 4);'),
      },
      'passes on the base with the added tests',
    ],
    [
      'they call the new function and ignore its result',
      { 'src/lib.rs': gap + shout + testsOf(old, 'let _ = shout("a");\n        assert_eq!(1, 1);') },
      'pass with the code of the work broken',
    ],
    [
      'a marker file turns them green',
      {
        'done.txt': 'done\n',
        'src/lib.rs':
          wide +
          testsOf(
            old,
            'assert!(std::path::Path::new("done.txt").exists());\n        assert_eq!(gap(5, 1), 4);',
          ),
      },
      'with done.txt alone',
    ],
    [
      'their helper stands in the product part',
      {
        'src/lib.rs': `${gap}#[cfg(test)]\nfn truth() -> bool {\n    true\n}\n${testsOf(old, 'assert!(truth());')}`,
      },
      'inside of product code',
    ],
  ])('New unit tests in Rust do not count if %s [X8]', async (_, work, reason) => {
    const seen = await accept(work);
    expect(seen?.verdict).not.toBe('passed');
    expect(seen?.reason).toContain(reason);
  });
});
