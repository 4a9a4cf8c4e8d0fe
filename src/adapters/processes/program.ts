// Resolves the program of a command, so that a missing one gives a clear error and not an exit code.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode } from '#base/error-code.ts';
import { isPathOfProgram, searchPathOf } from '#base/search-path.ts';
import type { ProcessSpec } from '#ports/processes.ts';
import { orElse } from '#base/or-else.ts';
import { tryOnce } from './tried-programs.ts';

export type ProgramSearch = { readonly path: string } | { readonly problem: string };

/** File and arguments of a command, or why it cannot be started. */
export function resolveCommand(
  spec: Pick<ProcessSpec, 'command' | 'cwd' | 'env'>,
  platform: string = process.platform,
): { readonly file: string; readonly args: readonly string[] } | { readonly problem: string } {
  const problem = folderProblem(spec.cwd);
  if (problem !== null) return { problem };
  const [name, ...args] = typeof spec.command === 'string' ? shell(spec.command, platform) : spec.command;
  const found = findProgram(name, spec.env['PATH'], spec.cwd, { env: spec.env, platform });
  if (!('path' in found)) return found;
  // Node refuses to start one without a shell, because no quoting makes its arguments safe.
  if (platform === 'win32' && /\.(?:cmd|bat)$/i.test(found.path))
    return { problem: `${found.path} is a batch file; name the program that it starts instead` };
  return { file: found.path, args };
}

export function findProgram(
  name: string,
  searchPath: string | undefined,
  cwd: string,
  {
    env = searchPath === undefined ? {} : { PATH: searchPath },
    platform = process.platform,
  }: { readonly env?: ProcessSpec['env']; readonly platform?: string } = {},
): ProgramSearch {
  if (name === '') return { problem: 'the command is empty' };
  const { folders, endings } = searchPathOf(env, platform);
  if (isPathOfProgram(name, platform)) {
    const path = resolve(cwd, name);
    const found = endings.map((ending) => `${path}${ending}`).find((one) => programProblem(one) === null);
    return found === undefined ? { problem: `${name} ${programProblem(path) ?? missing}` } : { path: found };
  }
  let worst: string | null = null;
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder === '' ? cwd : folder, `${name}${ending}`);
      const problem = programProblem(path);
      if (problem === null) return { path };
      if (problem !== missing) worst ??= `${path} ${problem}`;
    }
  }
  return { problem: worst ?? `the program "${name}" was not found on PATH` };
}

/** Whether PATH has an executable of that name; the current folder does not count. */
export function isOnPath(program: string, env: { readonly [name: string]: string | undefined }): boolean {
  const { folders, endings } = searchPathOf(env, process.platform);
  const isExecutable = (path: string): boolean =>
    orElse(() => accessSync(path, constants.X_OK) === undefined, false);
  return folders
    .filter((folder) => folder !== '')
    .some((folder) => endings.some((ending) => isExecutable(join(folder, program + ending))));
}

/** Finds a program that starts another one after these arguments, by trying it once; null if it fails. */
export function findWorking(name: string, args: readonly string[]): string | null {
  return tryOnce([name, ...args].join(' '), () => {
    const found = findProgram(name, process.env['PATH'], '/');
    if (!('path' in found)) return null;
    const trial = [...args, '/bin/sh', '-c', 'exit 42'];
    const { status } = spawnSync(found.path, trial, { stdio: 'ignore', timeout: 5_000 });
    return status === 42 ? found.path : null;
  });
}

const missing = 'does not exist';

function programProblem(path: string): string | null {
  try {
    if (statSync(path).isDirectory()) return 'is a folder, not a program';
    accessSync(path, constants.X_OK);
    return null;
  } catch (error) {
    return errorCode(error) === 'EACCES' ? 'may not be executed' : missing;
  }
}

/** Null for an existing folder. */
export function folderProblem(cwd: string): string | null {
  try {
    return statSync(cwd).isDirectory() ? null : `the working folder ${cwd} is not a folder`;
  } catch {
    return `the working folder ${cwd} does not exist`;
  }
}

function shell(command: string, platform: string): [string, ...string[]] {
  if (platform === 'win32') return [process.env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', command];
  return ['/bin/sh', '-c', command];
}
