// Orders the mounts of a sandbox: the deepest path decides, and of two for one path the later.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';

export type Mount =
  /** Appears empty and read-only. */
  | { readonly kind: 'hide'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string; readonly from?: string }
  | { readonly kind: 'write'; readonly path: string; readonly from?: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string };

/** Arguments of bubblewrap, in its order. `empty` is the file shown in place of a hidden file. */
export function mountArguments(mounts: readonly Mount[], empty = '/dev/null'): string[] {
  const sorted = withoutRedundant(onePerPath(present(mounts))).toSorted(
    (a, b) => depthOf(a.path) - depthOf(b.path),
  );
  const hidden = sorted.filter((mount) => mount.kind === 'hide' && isFolder(mount.path));
  return [
    ...sorted.flatMap((mount) => argumentsOf(mount, empty)),
    // Last, because folders below must be mounted first.
    ...hidden.flatMap(({ path }) => ['--remount-ro', path]),
  ];
}

function argumentsOf({ path, ...mount }: Mount, empty: string): string[] {
  switch (mount.kind) {
    case 'hide':
      return isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', empty, path];
    case 'read':
      return ['--ro-bind', mount.from ?? path, path];
    case 'write':
      return ['--bind', mount.from ?? path, path];
    case 'link':
      return ['--symlink', mount.to, path];
  }
}

/** By real path: a mount on a link would land at its target. Missing paths need no mount. */
export function present(mounts: readonly Mount[]): Mount[] {
  return mounts.flatMap((mount): Mount[] => {
    if (mount.kind === 'link' || (mount.kind !== 'hide' && mount.from !== undefined)) return [mount];
    return existsSync(mount.path) ? [{ ...mount, path: realpathSync(mount.path) }] : [];
  });
}

/**
 * Links on the way to these names that the mounts hide: a program knows the name, not its target. Contract:
 * the mounts have real paths.
 */
export function linksTo(names: readonly string[], mounts: readonly Mount[]): Mount[] {
  return names
    .flatMap(linksOn)
    .filter(({ path }) => {
      const deepest = deepestAt(path, mounts);
      return deepest !== undefined && isOther(deepest) && !isCopied(path, deepest);
    })
    .map((link) => ({ kind: 'link', ...link }));
}

/** The mount that decides what is visible at a path; undefined for the machine itself. */
export function deepestAt(path: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts
    .filter((mount) => isWithin(path, mount.path))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** True if the visible content is not the real one. */
export function isOther(mount: Mount): boolean {
  if (mount.kind === 'hide' || mount.kind === 'link') return true;
  return mount.from !== undefined && mount.from !== mount.path;
}

function isCopied(path: string, mount: Mount): boolean {
  if (!('from' in mount) || mount.from === undefined) return false;
  return lstatSync(join(mount.from, relative(mount.path, path)), { throwIfNoEntry: false }) !== undefined;
}

function linksOn(name: string): { readonly path: string; readonly to: string }[] {
  const links: { path: string; to: string }[] = [];
  let real: string = sep;
  for (const part of name.split(sep).filter((one) => one !== '')) {
    const path = join(real, part);
    if (!existsSync(path)) break;
    real = realpathSync(path);
    if (real !== path) links.push({ path, to: real });
  }
  return links;
}

function onePerPath(mounts: readonly Mount[]): Mount[] {
  return [...new Map(mounts.map((mount) => [mount.path, mount])).values()];
}

/** The machine is mounted read-only already: a path inside needs no mount, unless another one covers it. */
function withoutRedundant(mounts: readonly Mount[]): Mount[] {
  const isPlain = (mount: Mount): boolean =>
    mount.kind === 'read' && (mount.from === undefined || mount.from === mount.path);
  const covering = mounts.filter((mount) => !isPlain(mount));
  const needed = (mount: Mount): boolean =>
    ['/dev', '/proc'].some((own) => isWithin(mount.path, own)) ||
    covering.some((other) => isWithin(mount.path, other.path));
  return mounts.filter((mount) => !isPlain(mount) || needed(mount));
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== '').length;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}
