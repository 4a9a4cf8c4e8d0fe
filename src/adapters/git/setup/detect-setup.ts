// Detects the command that installs the dependencies of a commit or tree, from its committed files.
import { findSetup, isReadForSetup } from '#analysis/ecosystems/setup/find-setup.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { findSetupBelow, foldersBelow } from '#analysis/ecosystems/setup/setup-below.ts';
import { openTrees } from '#adapters/git/trees/trees.ts';
import type { TreeGround } from '#adapters/git/trees/pin-tree.ts';

/**
 * `tree` is a commit or a tree, `prefix` the start folder ('' is the root). To ask before a run exists:
 * `detectedSetupAt({ git: createGit(site.commonDir, site.env), gitDir: site.commonDir }, commit, site.prefix)`.
 * Contract: changes nothing, and reads no file of the user's checkout.
 */
export async function detectedSetupAt(
  ground: TreeGround,
  tree: string,
  prefix: string,
): Promise<DetectedSetup> {
  const trees = openTrees(ground, () => '');
  const folder = prefix.replace(/\/$/, '');
  const paths = [...(await trees.list(tree)).keys()];
  const textsIn = (...folders: string[]): ReturnType<typeof trees.read> =>
    trees.read(
      tree,
      paths.filter((path) => folders.some((each) => isReadForSetup(path, each))),
    );
  const found = findSetup({ paths, texts: await textsIn(folder) }, folder);
  if (found.kind !== 'none') return found;
  const below = foldersBelow(paths, folder);
  if (below.length === 0) return found;
  return findSetupBelow({ paths, texts: await textsIn(...below) }, folder) ?? found;
}
