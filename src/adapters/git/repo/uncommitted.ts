// What a run that starts from a commit does not get of the user's checkout.
import picomatch from 'picomatch';
import { createGit, type Environment } from './git.ts';
import { dirtyPaths } from './in-place.ts';
import type { Repository } from './repository.ts';

/** Contract: changes nothing. Without what the run copies (`copy`, globs of untracked files). */
export async function uncommittedPaths(
  repository: Pick<Repository, 'root' | 'commonDir'>,
  env: Environment,
  copy: readonly string[],
): Promise<string[]> {
  const paths = await dirtyPaths(createGit(repository.commonDir, env), repository);
  return paths.filter((path) => !copy.some((glob) => isCopied(glob, path)));
}

/** A folder of which nothing is tracked is one path: it counts as copied if the glob is about something in it. */
function isCopied(glob: string, path: string): boolean {
  if (!path.endsWith('/')) return picomatch.isMatch(path, glob, { dot: true });
  const { base } = picomatch.scan(glob);
  return `${base}/`.startsWith(path) || picomatch.isMatch(path.slice(0, -1), glob, { dot: true });
}
