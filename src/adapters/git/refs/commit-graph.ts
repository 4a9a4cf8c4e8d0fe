// What git remembers about commits so that it need not read them. Ours reads them all the same; the git of a check would believe it.
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const places = ['objects/info/commit-graph', 'objects/info/commit-graphs'];

export async function graphState(commonDir: string): Promise<string> {
  const found = await Promise.all(places.map((path) => stat(join(commonDir, path)).catch(() => null)));
  return found
    .map((each) => (each === null ? '' : `${each.ino} ${each.size} ${each.mtimeMs} ${each.ctimeMs}`))
    .join('; ');
}

/** A fetch or a clean-up writes it too, and nobody misses it: git makes it anew from the commits themselves. */
export async function dropGraph(commonDir: string): Promise<void> {
  await Promise.all(places.map((path) => rm(join(commonDir, path), { recursive: true, force: true })));
}
