// Reuses the file links of the last map while no file was added, removed or changed its imports.
import { hash } from 'node:crypto';
import type { MapCache } from './cache.ts';
import type { FileLinks } from './cache-file.ts';

interface Linking {
  readonly path: string;
  readonly importsSum: number;
}

export function recallLinks<T extends Linking>(
  cache: Pick<MapCache, 'findLinks' | 'addLinks'>,
  files: readonly T[],
  find: (files: readonly T[]) => FileLinks,
): FileLinks {
  const key = hash('sha1', files.map(({ path, importsSum }) => `${path}\0${importsSum}`).join('\0'));
  const known = cache.findLinks(key);
  if (known !== null) return known;
  const links = find(files);
  cache.addLinks(key, links);
  return links;
}
