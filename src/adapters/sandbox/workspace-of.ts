// Which checkout a program is started in.
import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';

/** The outermost folder with a `.git`, so that one planted further in changes nothing; null outside of all workspaces. */
export function workspaceOf(cwd: string, workspaces: readonly string[]): string | null {
  for (const root of workspaces) {
    if (!isWithin(cwd, root)) continue;
    const parts = relative(root, cwd)
      .split(sep)
      .filter((part) => part !== '');
    for (let depth = 0; depth <= parts.length; depth += 1) {
      const folder = join(root, ...parts.slice(0, depth));
      if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    }
  }
  return null;
}
