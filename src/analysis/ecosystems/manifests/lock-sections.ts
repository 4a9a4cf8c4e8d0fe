// What a lock file says about where packages come from. Honest work adds packages and takes newer ones; it never swaps the
// contents of a version, nor puts something of its own in the place of what came from a registry. Pure.
import type { Sections } from './section-types.ts';

/** One package of a lock file, in whatever format it was written. */
export interface Locked {
  /** As the sources import it, which an alias keeps. */
  readonly name: string;
  readonly version?: string;
  /** A folder, a link, a repository, another package; undefined when it is from a registry under its own name. */
  readonly place?: string;
  /** Where a registry keeps it. */
  readonly origins?: readonly string[];
  /** Hashes by what they are of: a kind of hash, or a file. */
  readonly contents?: readonly (readonly [of: string, hash: string])[];
}

/**
 * `known.NAME` for all that is there; `place.NAME` for what comes from elsewhere than a registry, `origin.NAME` for where a
 * registry keeps it; `contents.NAME@VERSION` for what a version holds.
 */
export function lockSections(packages: Iterable<Locked>): Sections {
  const found = new Map<string, Set<string>>();
  const add = (section: string, text: string): void => {
    found.set(section, (found.get(section) ?? new Set()).add(text));
  };
  for (const { name, version, place, origins, contents } of packages) {
    add(`known.${name}`, '');
    if (place !== undefined) {
      // What is not from a registry may be built anew.
      add(`place.${name}`, place);
      continue;
    }
    for (const origin of origins ?? []) add(`origin.${name}`, origin);
    for (const [of, hash] of contents ?? []) add(`contents.${name}@${version ?? ''}${of}`, hash);
  }
  return new Map([...found].map(([section, texts]) => [section, [...texts].toSorted().join('\n')]));
}

/** A package behind an address: a registry's has its name in it, anything else could be any package. */
export function fromAddress(name: string, address: string): Pick<Locked, 'place' | 'origins'> {
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/]+)(\/[^?#]*)/.exec(address) ?? [];
  const path = rest.replace(/%2f/gi, '/').replace(/%40/g, '@');
  const at = path.indexOf(`/${name}/`);
  const isScoped = /\/@[^/]*$/.test(path.slice(0, Math.max(at, 0)));
  return origin === '' || at < 0 || isScoped ? { place: address } : { origins: [origin] };
}

/** `sha512-abc` and `sha1-abc` are of the same file, and not to be compared. */
export function hashes(integrity: string): [string, string][] {
  return integrity
    .split(/\s+/)
    .filter((each) => each.includes('-'))
    .map((each) => [each.startsWith('sha512-') ? '' : ` ${each.split('-')[0] ?? ''}`, each]);
}

/** `name@1.0.0`, `@scope/name@file:x` → the name, and what is behind it. */
export function splitName(text: string): [string, string] {
  const at = text.indexOf('@', 1);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
