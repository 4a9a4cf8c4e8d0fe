import type { Eyes } from '#ports/world.ts';

/** New untracked files of a check (coverage, caches) change nothing of what was looked at; any other difference does. */
export async function withoutAdditions(world: Eyes, tree: string, after: string): Promise<string> {
  if (after === tree) return tree;
  const changed = await world.workspace.changedPaths(tree, after);
  return changed.every((one) => one.status === 'added') ? tree : after;
}
