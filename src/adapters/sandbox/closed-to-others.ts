// Finds system files that only their owner may read: keys, passwords, firewall rules. If we are that owner
// (root, in many containers), our programs could read them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '#base/or-else.ts';

/** Where system programs keep such files, and how deep. */
const places: readonly (readonly [path: string, depth: number])[] = [
  ['/etc', 4],
  ['/opt', 2],
  ['/usr/local/etc', 2],
  ['/var/lib', 1],
  ['/var/cache', 1],
  ['/boot', 1],
];

/** More than a system has itself; a larger place is searched only up to this. */
const entriesMax = 20_000;

/** Never throws. A closed folder stands for everything in it. */
export function closedToOthers(uid = process.getuid?.() ?? -1, from = places): string[] {
  let left = entriesMax;
  const below = (folder: string, depth: number): string[] => {
    if (depth < 0 || left <= 0) return [];
    return orElse(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
      left -= 1;
      if (!entry.isFile() && !entry.isDirectory()) return [];
      const path = join(folder, entry.name);
      if (isClosed(path, uid)) return [path];
      return entry.isDirectory() ? below(path, depth - 1) : [];
    });
  };
  return from.flatMap(([path, depth]) => below(path, depth));
}

function isClosed(path: string, uid: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.uid === uid && (found.mode & 0o004) === 0;
}
