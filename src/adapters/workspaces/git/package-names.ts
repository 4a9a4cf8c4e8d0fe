// Names in the manifests of JavaScript packages. Pure.
import { posix } from 'node:path';
import { type Json, readJson, recordOf } from './json-text.ts';

export function nameOf(manifest: string): string | null {
  const name = read(manifest)['name'];
  return typeof name === 'string' ? name : null;
}

/** The manifest itself and those of the folders around it. */
export function manifestsAbove(path: string): string[] {
  const found: string[] = [];
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    found.push(posix.join(folder, 'package.json'));
    if (folder === '.') return found;
  }
}

/** Names of all that these manifests depend on. */
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
