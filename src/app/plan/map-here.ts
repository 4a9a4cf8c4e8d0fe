// Maps the repository that a folder belongs to; it needs no commit yet.
import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { listFiles } from '#adapters/repo-map/list-files.ts';
import { ensureRepoId } from '#adapters/store/repo-id.ts';
import { createGit } from '#adapters/git/repo/git.ts';
import { findCheckout } from '#adapters/git/repo/repository.ts';
import { definedOnly } from '#config/env-file.ts';
import { OperatorError } from '#base/operator-error.ts';
import { type MapRequest, mapRepository, type RepositoryMap } from './map.ts';
import { stateHome } from '#app/state-home.ts';

export type MapWish = Pick<MapRequest, 'goal' | 'tokens' | 'signal'> & {
  /** Relative to the folder. */
  readonly paths: readonly string[];
};

export async function mapHere(
  cwd: string,
  variables: MapRequest['env'],
  wish: MapWish,
): Promise<RepositoryMap> {
  const env = definedOnly(variables);
  // Both git calls take a while, so they run together; the other one reports a missing repository.
  const listing = wish.paths.length === 0 ? listFiles(createGit(cwd, env), cwd, []) : null;
  listing?.catch(() => {});
  const { root, commonDir } = await findCheckout(cwd, env);
  const repoId = await ensureRepoId(commonDir);
  const paths = await Promise.all(wish.paths.map((path) => fromRoot(root, cwd, path)));
  return mapRepository({
    ...wish,
    root,
    env,
    paths: paths.includes('') ? [] : paths,
    ...(listing === null ? {} : { listing }),
    cacheFolder: join(stateHome(env), 'untildone', 'cache', repoId),
  });
}

async function fromRoot(root: string, cwd: string, path: string): Promise<string> {
  const real = await realpath(resolve(cwd, path)).catch(() => null);
  if (real === null) {
    throw new OperatorError(
      'path-missing',
      `There is no ${path} here.`,
      'Name files and folders that exist; put the goal first, in quotes.',
    );
  }
  const inside = relative(await realpath(root), real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside) {
    throw new OperatorError(
      'path-outside',
      `${path} is not in this repository.`,
      `Name a path below ${root}.`,
    );
  }
  return inside.split(sep).join('/');
}
