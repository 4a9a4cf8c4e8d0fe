// Paths as seen from a folder of the repository. Facts name paths from its root.

/** Uses `../` for paths outside the folder; paths outside the repository stay as they are. */
export function pathRelativeTo(folder: string, path: string): string {
  if (/^[/~]/.test(path)) return path;
  const from = folder.split('/').filter((part) => part !== '');
  const to = path.split('/');
  let alike = 0;
  while (alike < from.length && alike < to.length - 1 && from[alike] === to[alike]) alike += 1;
  return [...from.slice(alike).map(() => '..'), ...to.slice(alike)].join('/');
}

/** Rewrites each of these paths in a sentence the same way. */
export function textWithPathsFrom(folder: string, text: string, paths: readonly string[]): string {
  const known = [...new Set(paths)].toSorted((one, other) => other.length - one.length);
  if (folder === '' || known.length === 0) return text;
  const any = known.map((path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.replaceAll(new RegExp(`(?<![\\w./-])(?:${any})`, 'g'), (path) => pathRelativeTo(folder, path));
}
