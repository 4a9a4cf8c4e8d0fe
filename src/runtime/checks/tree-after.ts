import type { CheckDeps } from '#ports/world.ts';

/** Ignores files that a check merely added (coverage, caches); any other difference counts. */
export async function withoutAdditions(world: CheckDeps, tree: string, after: string): Promise<string> {
  if (after === tree) return tree;
  const changed = await world.workspace.changedPaths(tree, after);
  return changed.every((one) => one.status === 'added') ? tree : after;
}
