// Compares the sources of packages in a lock file. Honest work adds and updates packages; it never swaps the
// contents of a version, nor replaces a registry package by its own. Pure.
import type { Sections } from './section-types.ts';

/** One package of a lock file, in any format. */
export interface Locked {
  /** As the sources import it; an alias keeps this name. */
  readonly name: string;
  readonly version?: string;
  /** A folder, a link, a repository, another package; undefined if from a registry under its own name. */
  readonly place?: string;
  /** The address in a registry. */
  readonly origins?: readonly string[];
  /** Hashes by subject: a kind of hash, or a file. */
  readonly contents?: readonly (readonly [of: string, hash: string])[];
}

/**
 * `known.NAME` for every package; `place.NAME` for a source other than a registry, `origin.NAME` for the
 * address in a registry; `contents.NAME@VERSION` for the hashes of a version.
 */
export function lockSections(packages: Iterable<Locked>): Sections {
  const found = new Map<string, Set<string>>();
  const add = (section: string, text: string): void => {
    found.set(section, (found.get(section) ?? new Set()).add(text));
  };
  for (const { name, version, place, origins, contents } of packages) {
    add(`known.${name}`, '');
    if (place !== undefined) {
      // A package from elsewhere may be rebuilt.
      add(`place.${name}`, place);
      continue;
    }
    for (const origin of origins ?? []) add(`origin.${name}`, origin);
    for (const [of, hash] of contents ?? []) add(`contents.${name}@${version ?? ''}${of}`, hash);
  }
  return new Map([...found].map(([section, texts]) => [section, [...texts].toSorted().join('\n')]));
}

/** A registry's address contains the package name; any other address could hold any package. */
export function fromAddress(name: string, address: string): Pick<Locked, 'place' | 'origins'> {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/]+)(\/[^?#]*)/.exec(address) ?? [];
  const path = rest.replace(/%2f/gi, '/').replace(/%40/g, '@');
  const at = path.indexOf(`/${name}/`);
  const isScoped = /\/@[^/]*$/.test(path.slice(0, Math.max(at, 0)));
  return origin === '' || at < 0 || isScoped ? { place: address } : { origins: [origin] };
}

/** `sha512-abc` and `sha1-abc` are of the same file, but cannot be compared. */
export function hashes(integrity: string): [string, string][] {
  return integrity
    .split(/\s+/)
    .filter((each) => each.includes('-'))
    .map((each) => [each.startsWith('sha512-') ? '' : ` ${each.split('-')[0] ?? ''}`, each]);
}

/** `name@1.0.0`, `@scope/name@file:x` → the name, and the rest. */
export function splitName(text: string): [string, string] {
  const at = text.indexOf('@', 1);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
