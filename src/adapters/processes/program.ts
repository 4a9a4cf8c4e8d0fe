// Finds what a command would start, so that a missing program is a sentence and not an exit code.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { ProcessSpec } from '#ports/processes.ts';

export type Found = { readonly path: string } | { readonly problem: string };

const defaultPath = '/usr/local/bin:/usr/bin:/bin';

/** File and arguments of a command, or why it cannot be started. */
export function resolveCommand(
  spec: Pick<ProcessSpec, 'command' | 'cwd' | 'env'>,
): { readonly file: string; readonly args: readonly string[] } | { readonly problem: string } {
  const problem = folderProblem(spec.cwd);
  if (problem !== null) return { problem };
  const [name, ...args] = typeof spec.command === 'string' ? shell(spec.command) : spec.command;
  // Windows finds programs by rules of its own; there the start itself tells.
  if (process.platform === 'win32') return { file: name, args };
  const found = findProgram(name, spec.env['PATH'], spec.cwd);
  return 'path' in found ? { file: found.path, args } : found;
}

export function findProgram(name: string, searchPath: string | undefined, cwd: string): Found {
  if (name === '') return { problem: 'the command is empty' };
  if (name.includes('/')) {
    const path = resolve(cwd, name);
    const problem = programProblem(path);
    return problem === null ? { path } : { problem: `${name} ${problem}` };
  }
  let worst: string | null = null;
  for (const folder of (searchPath ?? defaultPath).split(delimiter)) {
    const path = join(folder === '' ? cwd : folder, name);
    const problem = programProblem(path);
    if (problem === null) return { path };
    if (problem !== missing) worst ??= `${path} ${problem}`;
  }
  return { problem: worst ?? `the program "${name}" was not found on PATH` };
}

const missing = 'does not exist';

function programProblem(path: string): string | null {
  try {
    if (statSync(path).isDirectory()) return 'is a folder, not a program';
    accessSync(path, constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error) === 'EACCES' ? 'may not be executed' : missing;
  }
}

/** Null for a folder that is there. */
export function folderProblem(cwd: string): string | null {
  try {
    return statSync(cwd).isDirectory() ? null : `the working folder ${cwd} is not a folder`;
  } catch {
    return `the working folder ${cwd} does not exist`;
  }
}

function shell(command: string): [string, ...string[]] {
  if (process.platform === 'win32') return [process.env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', command];
  return ['/bin/sh', '-c', command];
}

export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
