import { describe, expect, it } from 'vitest';
import { isPathOfProgram, searchPathOf } from './search-path.ts';

describe('how a program is found', () => {
  it('Linux and macOS split PATH at colons, and keep an empty entry', () => {
    for (const platform of ['linux', 'darwin'])
      expect(searchPathOf({ PATH: '/a::/b c' }, platform)).toEqual({
        folders: ['/a', '', '/b c'],
        endings: [''],
      });
  });

  it('Windows splits at semicolons, spells the variable as it likes, and tries endings', () => {
    const env = { Path: 'C:\\a;D:\\b c', PathExt: '.EXE;.CMD' };
    expect(searchPathOf(env, 'win32')).toEqual({
      folders: ['C:\\a', 'D:\\b c'],
      endings: ['', '.EXE', '.CMD'],
    });
    expect(searchPathOf({ Path: '/a' }, 'linux').folders).not.toContain('/a');
  });

  it('Without the variable each has the folders that it always has', () => {
    expect(searchPathOf({}, 'darwin').folders).toContain('/usr/bin');
    expect(searchPathOf({}, 'win32').folders).toContain('C:\\Windows\\System32');
  });

  it('A backslash makes a path on Windows alone', () => {
    expect(['tools\\agent', './agent'].map((name) => isPathOfProgram(name, 'win32'))).toEqual([true, true]);
    expect(['tools\\agent', './agent'].map((name) => isPathOfProgram(name, 'linux'))).toEqual([false, true]);
  });
});
