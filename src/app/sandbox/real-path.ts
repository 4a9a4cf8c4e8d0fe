import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Resolves links; also works for a path that does not exist yet. */
export function real(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(real(parent), basename(path));
}
