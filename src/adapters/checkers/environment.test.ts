import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeEnvironment, digestEnvironment } from './environment.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-environment-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As if a program had come there now, on file systems with coarse times too. */
function put(name: string, at: number): void {
  writeFileSync(join(folder, `${name}.new`), '#!/bin/sh\n');
  renameSync(join(folder, `${name}.new`), join(folder, name));
  utimesSync(folder, at, at);
}

describe('the environment of a check', () => {
  it('A changed variable makes another environment of a check; volatile variables do not [X8]', () => {
    const one = describeEnvironment({ PATH: folder, A: '1' });
    expect(describeEnvironment({ A: '1', PATH: folder, PWD: '/x', SHLVL: '2' })).toBe(one);
    expect(describeEnvironment({ PATH: folder, A: '2' })).not.toBe(one);
    expect(one).toMatch(/^[0-9a-f]{16}$/);
  });

  it('The environment of a check has one digest per variable, which reveals neither the value nor equal values [X8]', () => {
    const env = { PATH: folder, A: 'hunter2', B: 'hunter2', PWD: '/x' };
    const digests = digestEnvironment(env);
    expect(Object.keys(digests).toSorted()).toEqual([
      'A',
      'B',
      'PATH',
      'programs in the folders of PATH',
      'the operating system',
      'the version of Node',
    ]);
    expect(digests['A']).not.toBe(digests['B']);
    expect(JSON.stringify(digests)).not.toContain('hunter2');
    expect(digestEnvironment({ ...env, A: 'else' })).toEqual({ ...digests, A: expect.any(String) as string });
    expect(digestEnvironment({ ...env, A: 'else' })['A']).not.toBe(digests['A']);
    put('node', 5_000);
    const moved = digestEnvironment(env)['programs in the folders of PATH'];
    expect(moved).not.toBe(digests['programs in the folders of PATH']);
  });

  it('A new program in a PATH folder, or a new PATH folder, makes another environment of a check [X8]', () => {
    const env = { PATH: `${folder}:${join(folder, 'more')}:relative` };
    put('node', 1_000);
    const one = describeEnvironment(env);
    expect(describeEnvironment(env)).toBe(one);
    put('node', 2_000);
    const two = describeEnvironment(env);
    expect(two).not.toBe(one);
    mkdirSync(join(folder, 'more'));
    utimesSync(folder, 2_000, 2_000);
    expect(describeEnvironment(env)).not.toBe(two);
  });
});
