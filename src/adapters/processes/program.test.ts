// Turns a command into a file and arguments. The system is a parameter; Windows itself is not tested here.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolveCommand } from './program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-program-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['agent.EXE', 'shim.CMD', 'plain', 'cmd.exe'])
    writeFileSync(join(folder, 'bin', name), '', { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('Windows finds a program by its endings, in a `Path` of any spelling', () => {
  const env = { Path: join(folder, 'bin'), PATHEXT: '.EXE;.CMD' };
  expect(resolveCommand({ command: ['agent', 'x'], cwd: folder, env }, 'win32')).toEqual({
    file: join(folder, 'bin/agent.EXE'),
    args: ['x'],
  });
  expect(resolveCommand({ command: ['./bin/agent'], cwd: folder, env }, 'win32')).toEqual({
    file: join(folder, 'bin/agent.EXE'),
    args: [],
  });
  expect(resolveCommand({ command: ['agent'], cwd: folder, env }, 'linux')).toEqual({
    problem: 'the program "agent" was not found on PATH',
  });
});

it('A batch file is refused on Windows with a sentence, and a missing program as everywhere', () => {
  const env = { Path: join(folder, 'bin'), PATHEXT: '.EXE;.CMD' };
  expect(resolveCommand({ command: ['shim', 'x & y'], cwd: folder, env }, 'win32')).toEqual({
    problem: `${join(folder, 'bin/shim.CMD')} is a batch file; name the program that it starts instead`,
  });
  expect(resolveCommand({ command: ['nothing'], cwd: folder, env }, 'win32')).toEqual({
    problem: 'the program "nothing" was not found on PATH',
  });
});

it('A command line runs through the shell of the system', () => {
  const env = { PATH: join(folder, 'bin') };
  expect(resolveCommand({ command: 'npm test', cwd: folder, env }, 'darwin')).toEqual({
    file: '/bin/sh',
    args: ['-c', 'npm test'],
  });
  expect(resolveCommand({ command: 'npm test', cwd: folder, env }, 'win32')).toEqual({
    file: join(folder, 'bin/cmd.exe'),
    args: ['/d', '/s', '/c', 'npm test'],
  });
});
