// Reads names in the manifests of JavaScript packages. Pure.
import { posix } from 'node:path';
import { names } from '#analysis/texts/path-words.ts';
import { type Json, readJson, recordOf } from '#analysis/texts/json-text.ts';

export function nameOf(manifest: string): string | null {
  const name = read(manifest)['name'];
  return typeof name === 'string' ? name : null;
}

/** The programs of a package: `bin`, and every file of the folder `directories.bin`. */
export function programsOf(
  manifest: string,
  folder: string,
  files: ReadonlyMap<string, string>,
): Set<string> {
  const { bin, name, directories } = read(manifest);
  const own = typeof bin === 'string' ? [posix.basename(String(name))] : Object.keys(recordOf(bin) ?? {});
  const listed = recordOf(directories)?.['bin'];
  const prefix = typeof listed === 'string' ? `${posix.join(folder, listed)}/` : null;
  const inside = prefix === null ? [] : [...files.keys()].filter((path) => path.startsWith(prefix));
  return new Set([...own, ...inside.map((path) => posix.basename(path))]);
}

/** The manifest itself and those of the parent folders. */
export function manifestsAbove(path: string): string[] {
  const found: string[] = [];
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    found.push(posix.join(folder, 'package.json'));
    if (folder === '.') return found;
  }
}

/** All dependencies of these manifests. */
export function wantedBy(manifests: Iterable<string>): Set<string> {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  const names = [...manifests]
    .map(read)
    .flatMap((manifest) => kinds.flatMap((kind) => Object.keys(recordOf(manifest[kind]) ?? {})));
  return new Set(names);
}

function read(text: string): Json {
  return recordOf(readJson(text)) ?? {};
}

export function isOffered(path: string, manifest: string): boolean {
  const about = read(manifest);
  const places = ['main', 'module', 'exports', 'bin', 'browser'].map((key) =>
    JSON.stringify(about[key] ?? ''),
  );
  return names(places.join('\n'), path);
}
