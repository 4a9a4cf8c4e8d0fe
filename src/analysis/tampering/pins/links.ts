// Follows symbolic links inside a tree. Pure.
import { posix } from 'node:path';

/** Path of each link to the path in the tree that it names. */
export type Links = ReadonlyMap<string, string>;

// As the kernel does: a longer chain leads nowhere.
const hopsMax = 40;

/** Skips links that lead out of the tree, or to its root. */
export function linksIn(targets: Iterable<readonly [path: string, target: string]>): Links {
  const links = new Map<string, string>();
  for (const [path, target] of targets) {
    const named = posix.join(posix.dirname(path), target).replace(/\/$/, '');
    if (!posix.isAbsolute(target) && named !== '.' && !named.startsWith('..')) links.set(path, named);
  }
  return links;
}

interface Resolved {
  readonly path: string;
  /** The links on the way, in their order. */
  readonly through: readonly string[];
}

/** The target of a path through links to folders and chains of links; null for a circle. */
export function resolvePath(links: Links, path: string): Resolved | null {
  const through: string[] = [];
  let now = path;
  while (through.length <= hopsMax) {
    const link = firstLink(links, now);
    if (link === null) return { path: now, through };
    through.push(link);
    now = `${links.get(link) ?? ''}${now.slice(link.length)}`;
  }
  return null;
}

function firstLink(links: Links, path: string): string | null {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (links.has(path.slice(0, at))) return path.slice(0, at);
  return links.has(path) ? path : null;
}
