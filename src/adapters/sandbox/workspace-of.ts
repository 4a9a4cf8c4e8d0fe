// Finds the checkout in which a program starts, and its part of the git folder.
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep, basename, dirname, resolve } from 'node:path';
import { isWithin } from '#base/is-within.ts';

/** The outermost folder with a `.git`, so that a nested one has no effect; null outside of all workspaces. */
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

/** Null for the main checkout, whose `.git` is a folder, and for one that claims to belong elsewhere. */
export function adminOf(workspace: string, commonDir: string): string | null {
  const file = join(workspace, '.git');
  if (statSync(file).isDirectory()) return null;
  const gitDir = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const admin = resolve(workspace, gitDir);
  return dirname(admin) === join(commonDir, 'worktrees') && basename(admin) !== '' ? admin : null;
}
