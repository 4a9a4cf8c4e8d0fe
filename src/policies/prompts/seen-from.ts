// Files as whoever works in a part of a repository finds them. Facts name them from its root.

/** `../` for what lies outside of the folder; what is outside of the repository stays as it is. */
export function seenFrom(folder: string, path: string): string {
  if (/^[/~]/.test(path)) return path;
  const from = folder.split('/').filter((part) => part !== '');
  const to = path.split('/');
  let alike = 0;
  while (alike < from.length && alike < to.length - 1 && from[alike] === to[alike]) alike += 1;
  return [...from.slice(alike).map(() => '..'), ...to.slice(alike)].join('/');
}

/** The same for each of these paths in a sentence about them. */
export function textSeenFrom(folder: string, text: string, paths: readonly string[]): string {
  const known = [...new Set(paths)].toSorted((one, other) => other.length - one.length);
  if (folder === '' || known.length === 0) return text;
  const any = known.map((path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.replaceAll(new RegExp(`(?<![\\w./-])(?:${any})`, 'g'), (path) => seenFrom(folder, path));
}
