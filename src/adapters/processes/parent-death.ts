// Starts a program that Linux kills when we die, even by kill -9. `setpriv` of util-linux requests it.
import { findProgram, findWorking } from './program.ts';

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Returns the command unchanged without a suitable `setpriv`. A missing program fails at its start. */
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

/** The `setpriv` of busybox lacks the option. */
function findSetpriv(): string | null {
  return process.platform === 'linux' ? findWorking('setpriv', deathSignal) : null;
}
