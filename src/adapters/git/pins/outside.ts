// Finds work that depends on files outside of the repository: no clean checkout notices it.
import { statSync } from 'node:fs';
import { isAbsolute, posix } from 'node:path';

export function leadsOut(path: string, target: string): boolean {
  return isAbsolute(target) || posix.normalize(posix.join(posix.dirname(path), target)).startsWith('..');
}

const system = /^\/(?:usr|etc|bin|sbin|lib\w*|opt|proc|sys|dev|var|run|nix|System|Library|Applications)\//;

/** Files of this machine that a text newly names in quotes, system files excepted. */
export function namedOutside(before: string, after: string): string[] {
  const found = [...after.matchAll(/["'`](?:file:\/\/)?(\/[^"'`\n\0]{1,400})["'`]/g)];
  const paths = [...new Set(found.map(([, path = '']) => path))].slice(0, 1000);
  return paths.filter((path) => !system.test(path) && !before.includes(path) && isFile(path));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
