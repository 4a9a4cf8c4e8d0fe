// Finds programs in a client's login folder: scripts that its settings name, downloads, the client itself.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '#base/or-else.ts';

const scripts = /\.(sh|bash|zsh|fish|js|cjs|mjs|ts|py|rb|pl|lua|ps1|cmd|bat|exe)$/i;
/** A folder of programs has one among its first entries. */
const entriesMax = 500;
const depthMax = 3;

/** Entries of `folder` that are programs or contain some. Never throws. */
export function programsIn(folder: string): string[] {
  return orElse(() => readdirSync(folder, { withFileTypes: true }), [])
    .filter(
      (entry) => isProgram(entry, folder) || (entry.isDirectory() && holdsProgram(join(folder, entry.name))),
    )
    .map(({ name }) => join(folder, name));
}

function holdsProgram(folder: string): boolean {
  let left = entriesMax;
  const below = (path: string, depth: number): boolean =>
    orElse(() => readdirSync(path, { withFileTypes: true }), []).some((entry) => {
      left -= 1;
      if (left < 0) return false;
      return (
        isProgram(entry, path) ||
        (depth < depthMax && entry.isDirectory() && below(join(path, entry.name), depth + 1))
      );
    });
  return below(folder, 1);
}

/** Includes links to programs. */
function isProgram(entry: Dirent, folder: string): boolean {
  if (entry.isDirectory()) return false;
  if (scripts.test(entry.name)) return true;
  const found = statSync(join(folder, entry.name), { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
