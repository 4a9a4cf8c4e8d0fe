// What a program in bubblewrap finds where: the deepest path decides, and of two for one path the later.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

export type Mount =
  /** Empty there, and nothing can be written. */
  | { readonly kind: 'hide'; readonly path: string }
  | { readonly kind: 'read'; readonly path: string; readonly from?: string }
  | { readonly kind: 'write'; readonly path: string; readonly from?: string };

/** Arguments of bubblewrap, in the order in which it follows them. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const sorted = onePerPath(mounts.flatMap(present)).toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  const hidden = sorted.filter((mount) => mount.kind === 'hide' && isFolder(mount.path));
  return [
    ...sorted.flatMap(argumentsOf),
    // Last, because what lies below has to be put in first.
    ...hidden.flatMap(({ path }) => ['--remount-ro', path]),
  ];
}

function argumentsOf({ path, ...mount }: Mount): string[] {
  switch (mount.kind) {
    case 'hide':
      return isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
    case 'read':
      return ['--ro-bind', mount.from ?? path, path];
    case 'write':
      return ['--bind', mount.from ?? path, path];
  }
}

/** By its real path: a mount on a link would land where the link points. What is not there needs no mount. */
function present(mount: Mount): Mount[] {
  if (mount.kind !== 'hide' && mount.from !== undefined) return [mount];
  if (!existsSync(mount.path)) return [];
  return [{ ...mount, path: realpathSync(mount.path) }];
}

function onePerPath(mounts: readonly Mount[]): Mount[] {
  return [...new Map(mounts.map((mount) => [mount.path, mount])).values()];
}

function depthOf(path: string): number {
  return path.split(sep).filter((part) => part !== '').length;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}
