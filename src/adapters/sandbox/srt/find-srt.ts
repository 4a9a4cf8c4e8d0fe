// Finds @anthropic-ai/sandbox-runtime, an optional peer, and its requirements. Loads nothing of it.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProgram } from '#adapters/processes/program.ts';

export const srtPackage = '@anthropic-ai/sandbox-runtime';

/** Not usable as root: root could write its files in `/proc/sys` inside, which control the whole machine. */
export function usableSrt(): ReturnType<typeof findSrt> {
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return { problem: `${srtPackage} does not sandbox root` };
  return findSrt();
}

/** `path` is its command line program. `from`: the module whose packages are searched. */
export function findSrt(
  from: string = import.meta.url,
): { readonly path: string } | { readonly problem: string } {
  if (process.platform === 'win32') return { problem: `${srtPackage} is not used on Windows` };
  const missing = neededPrograms().filter((name) => !('path' in findProgram(name, process.env['PATH'], '/')));
  try {
    const main = createRequire(from).resolve(srtPackage);
    if (missing.length > 0) return { problem: `${srtPackage} needs ${missing.join(', ')}` };
    return { path: join(dirname(main), 'cli.js') };
  } catch {
    return { problem: `${srtPackage} is not installed` };
  }
}

function neededPrograms(): string[] {
  return process.platform === 'linux' ? ['bwrap', 'socat', 'rg'] : [];
}
