// A program that the kernel of the OS kills when we die, also by kill -9. Linux has it, and `setpriv` of util-linux asks for it.
import { findProgram, findWorking } from './program.ts';

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** The command unchanged where this machine has no `setpriv` that can do it. A missing program fails when it is started. */
export function diesWithParent(
  file: string,
  args: readonly string[],
  env: { readonly [name: string]: string | undefined },
): Command {
  const setpriv = findSetpriv();
  const program = setpriv === null ? null : findProgram(file, env['PATH'], '/');
  if (setpriv === null || program === null || !('path' in program)) return { file, args };
  return { file: setpriv, args: [...deathSignal, program.path, ...args] };
}

const deathSignal = ['--pdeathsig', 'SIGKILL', '--'];

let found: string | null | undefined;

/** Tried once per process: the `setpriv` of busybox does not have the option. */
function findSetpriv(): string | null {
  if (found === undefined) found = process.platform === 'linux' ? findWorking('setpriv', deathSignal) : null;
  return found;
}
