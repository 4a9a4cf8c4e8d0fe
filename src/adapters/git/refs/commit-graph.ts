// Drops git's cache of commits after a change. Our git ignores it, but the git of a check would trust it.
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const places = ['objects/info/commit-graph', 'objects/info/commit-graphs'];

export async function graphState(commonDir: string): Promise<string> {
  const found = await Promise.all(places.map((path) => stat(join(commonDir, path)).catch(() => null)));
  return found
    .map((each) => (each === null ? '' : `${each.ino} ${each.size} ${each.mtimeMs} ${each.ctimeMs}`))
    .join('; ');
}

/** A fetch or maintenance writes it too. Deleting it is safe: git rebuilds it from the commits. */
export async function dropGraph(commonDir: string): Promise<void> {
  await Promise.all(places.map((path) => rm(join(commonDir, path), { recursive: true, force: true })));
}
