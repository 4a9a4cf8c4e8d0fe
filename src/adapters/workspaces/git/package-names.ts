// A package may import itself by its name, and that goes before what is installed: one that calls itself like an assertion
// library is what the tests beside it load. Pure.
import { posix } from 'node:path';

/** Whether a manifest now has the name of something that it, or one above it, depended on. */
export function takesName(
  path: string,
  { before, after, base }: { before: string; after: string; base: ReadonlyMap<string, string> },
): boolean {
  const name = read(after)['name'];
  if (typeof name !== 'string' || read(before)['name'] === name) return false;
  return wantedBy(manifestsAbove(path).map((each) => base.get(each) ?? '')).has(name);
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
    .flatMap((manifest) => kinds.flatMap((kind) => Object.keys(recordOf(manifest[kind]))));
  return new Set(names);
}

type Json = { readonly [key: string]: unknown };

function read(text: string): Json {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
