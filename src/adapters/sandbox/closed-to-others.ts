// Files of the system that only their owner may read: keys, passwords, rules of a firewall. Where we are that owner (root is, in many
// containers), what we start would be too.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '#base/or-else.ts';

/** Where programs of the system keep such files, and how far below. */
const places: readonly (readonly [path: string, depth: number])[] = [
  ['/etc', 4],
  ['/opt', 2],
  ['/usr/local/etc', 2],
  ['/var/lib', 1],
  ['/var/cache', 1],
  ['/boot', 1],
];

/** More than a system has by itself; a place that is larger is looked at as far as this. */
const entriesMax = 20_000;

/** Never throws. A folder that is closed stands for all that is in it. */
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
