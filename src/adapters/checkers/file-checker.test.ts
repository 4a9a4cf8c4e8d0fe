import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileCheck } from '#kernel/model/check.ts';
import type { Finding } from '#ports/checker.ts';
import { checksBed, type ChecksBed } from '#test/checkers/checks-bed.ts';
import { parseJsonPath } from './judge-json.ts';

let bed: ChecksBed;
beforeEach(() => {
  bed = checksBed();
});
afterEach(() => bed.dispose());

const file = (path: string, holds: FileCheck['holds']): Promise<Finding> =>
  bed.check({ kind: 'file', path, holds });
const exists = { kind: 'exists' } as const;
const absent = { kind: 'absent' } as const;
const contains = (text: string) => ({ kind: 'contains', text }) as const;
const json = (path: string, value: string | null = null) => ({ kind: 'json', path, value }) as const;

describe('a file check', () => {
  it('A file check reports existing files, missing files and their contents [K6]', async () => {
    bed.write('src/a.txt', 'one\r\ntwo\r\n');
    expect(await file('src/a.txt', exists)).toMatchObject({ verdict: 'pass', ending: null });
    expect(await file('src', exists)).toMatchObject({ verdict: 'pass' });
    expect(await file('src/b.txt', exists)).toMatchObject({
      verdict: 'fail',
      reason: 'src/b.txt does not exist',
    });
    expect(await file('src/b.txt', absent)).toMatchObject({ verdict: 'pass' });
    expect(await file('src/a.txt', absent)).toMatchObject({ verdict: 'fail' });
    expect(await file('src/a.txt/deeper', absent)).toMatchObject({ verdict: 'pass' });
    expect(await file('src/a.txt', contains('one\ntwo'))).toMatchObject({ verdict: 'pass' });
    expect(await file('src/a.txt', contains('three'))).toMatchObject({
      verdict: 'fail',
      reason: 'src/a.txt does not contain "three"',
    });
    expect(await file('src', contains('x'))).toMatchObject({ verdict: 'fail', reason: 'src is a folder' });
  });

  it.each(['../secret', '/etc/passwd', 'a/../../secret', '', 'a\0b', '.git/config'])(
    'A file check reads nothing outside the work: %j',
    async (path) => {
      writeFileSync(join(bed.home, '../secret'), 'x');
      mkdirSync(join(bed.home, '.git'));
      writeFileSync(join(bed.home, '.git/config'), 'x');
      for (const holds of [exists, absent, contains('x')])
        expect((await file(path, holds)).verdict).not.toBe('pass');
    },
  );

  it('A file check follows no link out of the checkout, and no broken link', async () => {
    writeFileSync(join(bed.home, '../secret'), 'needle');
    symlinkSync('../secret', join(bed.home, 'out'));
    symlinkSync('..', join(bed.home, 'up'));
    symlinkSync('nowhere', join(bed.home, 'dangling'));
    for (const path of ['out', 'up/secret', 'dangling']) {
      for (const holds of [exists, absent, contains('needle')])
        expect(await file(path, holds)).toMatchObject({ verdict: 'fail' });
    }
    expect((await file('out', exists)).reason).toBe('out is a link that leads out of the checkout');
    bed.write('real', 'needle');
    symlinkSync('real', join(bed.home, 'inside'));
    expect(await file('inside', contains('needle'))).toMatchObject({ verdict: 'pass' });
  });

  it('A file check waits for no pipe and reads no device', async () => {
    expect(spawnSync('mkfifo', [join(bed.home, 'pipe')]).status).toBe(0);
    for (const holds of [exists, absent, contains('x')])
      expect(await file('pipe', holds)).toMatchObject({
        verdict: 'fail',
        reason: 'pipe is a pipe, not a file',
      });
    symlinkSync('/dev/zero', join(bed.home, 'zero'));
    expect(await file('zero', contains('x'))).toMatchObject({ verdict: 'fail' });
  });

  it('A file check does not read a huge file, and says so', async () => {
    bed.write('huge', 'needle');
    truncateSync(join(bed.home, 'huge'), 5_000_000_000);
    expect(await file('huge', contains('needle'))).toMatchObject({
      verdict: 'unknown',
      reason: 'huge has 4768 MB; more than 16 MB is not read',
    });
    expect(await file('huge', exists)).toMatchObject({ verdict: 'pass' });
    rmSync(join(bed.home, 'huge'));
  });
});

describe('a JSON path', () => {
  const text =
    '{"scripts":{"test":"vitest"},"files":["a",{"b":null}],"n":1.0,"@x/y.z":{"k":[1,{"p":2,"q":3}]}}';

  it.each([
    ['scripts.test', null, 'pass'],
    ['$.scripts.test', '"vitest"', 'pass'],
    ['scripts.test', 'vitest', 'pass'],
    ['/scripts/test', '"jest"', 'fail'],
    ['scripts.lint', null, 'fail'],
    ['files[0]', '"a"', 'pass'],
    ['files[1].b', 'null', 'pass'],
    ['files[2]', null, 'fail'],
    ['n', '1', 'pass'],
    ['["@x/y.z"].k', '[1,{"q":3,"p":2}]', 'pass'],
    ["['@x/y.z'].k[1]", '{"p":2}', 'fail'],
    ['scripts.test.deeper', null, 'fail'],
    ['constructor', null, 'fail'],
    ['__proto__', null, 'fail'],
    ['a..b', null, 'unknown'],
  ])('The JSON path %s = %s is judged as: %s [K6]', async (path, value, verdict) => {
    bed.write('package.json', text);
    expect(await file('package.json', json(path, value))).toMatchObject({ verdict });
  });

  it('A JSON path with a duplicate key decides nothing, on the path or below it', async () => {
    bed.write(
      'package.json',
      '{"scripts":{"test":"vitest"},"scripts":{"test":"true"},"a":{"b":{"c":1,"c":2}}}',
    );
    expect(await file('package.json', json('scripts.test', '"vitest"'))).toMatchObject({
      verdict: 'fail',
      reason: 'package.json has scripts twice, so its value is ambiguous',
    });
    expect(await file('package.json', json('a', '{"b":{"c":2}}'))).toMatchObject({ verdict: 'fail' });
    expect(await file('package.json', json('a.b'))).toMatchObject({ verdict: 'pass' });
  });

  it('A JSON path is strict where readers are strict, and allows comments where they do', async () => {
    bed.write('package.json', '{"a":1, // one\n}');
    bed.write('tsconfig.json', '{"a":1, // one\n}');
    bed.write('broken.json', '{"a":1');
    bed.write('deep.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(await file('package.json', json('a'))).toMatchObject({ verdict: 'fail' });
    expect(await file('tsconfig.json', json('a', '1'))).toMatchObject({ verdict: 'pass' });
    expect((await file('broken.json', json('a'))).reason).toMatch(
      /^broken.json is not valid JSON \(.* on line 1\)$/,
    );
    expect(await file('deep.json', json('a'))).toMatchObject({ verdict: 'fail' });
  });

  it('A JSON path is read in every usual notation', () => {
    expect(parseJsonPath('a.b[3]["c.d"]')).toEqual(['a', 'b', 3, 'c.d']);
    expect(parseJsonPath('/a~1b/~0c/0')).toEqual(['a/b', '~c', '0']);
    expect(parseJsonPath('$')).toEqual([]);
    for (const bad of ['', 'a.', '.a[', 'a[b]', 'a]']) expect(parseJsonPath(bad)).toBeNull();
  });
});
