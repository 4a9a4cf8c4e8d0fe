// The part of the git folder that belongs to one checkout.
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Null for the main checkout, whose `.git` is the whole folder; and for one that says it belongs elsewhere. */
export function adminOf(workspace: string, commonDir: string): string | null {
  const file = join(workspace, '.git');
  if (statSync(file).isDirectory()) return null;
  const said = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const admin = resolve(workspace, said);
  return dirname(admin) === join(commonDir, 'worktrees') && basename(admin) !== '' ? admin : null;
}
