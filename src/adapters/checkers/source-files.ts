// Lists the source files of a checkout that a check means: one file, a folder, a glob, or all.
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import picomatch from 'picomatch';
import { wordsIn } from '#analysis/ecosystems/ecosystems.ts';
import { grammarOf } from '#analysis/repo-map/grammar-names.ts';
import { placeOf } from '#adapters/files/confined-file.ts';

export type Sources =
  | { readonly kind: 'one'; readonly path: string }
  | { readonly kind: 'many'; readonly paths: readonly string[]; readonly isCut: boolean }
  | { readonly kind: 'none'; readonly why: string };

// The largest measured repositories have 8,000 files; beyond that a check should name a folder.
const filesMax = 10_000;
const foldersMax = 20_000;

/** Never the work: history and third-party code. */
const ignoredFolders = new Set(['.git', '.hg', '.svn', 'node_modules', '.untildone']);
/** Generated from the work; searched only if a check names them. */
const made = new Set([
  ...'dist build out target coverage vendor'.split(' '),
  ...wordsIn('setup', (each) => each.madeFolders),
]);

export async function sourcesOf(root: string, wanted: string | null): Promise<Sources> {
  if (wanted === null)
    return walk(
      root,
      '',
      () => true,
      (name) => made.has(name),
    );
  // Checked as a path first: a file name may contain brackets, as those of pages often do.
  const place = await placeOf(root, wanted);
  switch (place.kind) {
    case 'refused':
      return { kind: 'none', why: `${wanted} ${place.problem}` };
    case 'file':
      return { kind: 'one', path: wanted };
    case 'folder':
      return walk(
        root,
        posix.join(wanted, '.').replace(/\/$/, ''),
        () => true,
        () => false,
      );
    case 'missing':
      return matching(root, wanted);
  }
}

async function matching(root: string, glob: string): Promise<Sources> {
  const { base, isGlob } = picomatch.scan(glob);
  if (!isGlob) return { kind: 'none', why: `${glob} does not exist` };
  const start = await placeOf(root, base === '' ? '.' : base);
  if (start.kind !== 'folder') return { kind: 'none', why: `${glob} names no file` };
  const isMatch = picomatch(glob, { dot: true });
  const found = await walk(root, base, isMatch, (name) => made.has(name) && !glob.includes(name));
  return found.kind === 'many' && found.paths.length === 0 && !found.isCut
    ? { kind: 'none', why: `${glob} names no source file` }
    : found;
}

/** Links are not followed: their targets are listed under their own paths, or lie outside. */
async function walk(
  root: string,
  start: string,
  isMatch: (path: string) => boolean,
  isLeftOut: (name: string) => boolean,
): Promise<Sources> {
  const paths: string[] = [];
  const folders = [start];
  let visited = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    visited += 1;
    if (visited > foldersMax || paths.length >= filesMax) return { kind: 'many', paths, isCut: true };
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isOther = ignoredFolders.has(entry.name) || isLeftOut(entry.name);
      if (entry.isDirectory() && !isOther) folders.push(path);
      else if (entry.isFile() && grammarOf(path) !== null && isMatch(path)) paths.push(path);
    }
  }
  return { kind: 'many', paths: paths.toSorted(), isCut: false };
}
