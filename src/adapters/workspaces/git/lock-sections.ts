// What a package-lock.json says about where packages come from. Honest work adds packages and takes newer ones; it never
// swaps the contents of a version, nor puts a package of its own in the place of one from the registry.
import type { Sections } from './sections.ts';

interface Locked {
  readonly version?: unknown;
  readonly resolved?: unknown;
  readonly integrity?: unknown;
  readonly link?: unknown;
}

/** `place.NAME` for what comes from elsewhere than a registry; `contents.NAME@VERSION` for what a version holds. */
export function lockSections(text: string): Sections {
  const sections = new Map<string, string>();
  for (const [path, { version, resolved, integrity, link }] of packagesOf(text)) {
    const name = path.replace(/^.*node_modules\//, '');
    if (typeof resolved === 'string' && (link === true || !/^https?:/.test(resolved)))
      sections.set(`place.${name}`, resolved);
    else if (typeof version === 'string' && typeof integrity === 'string')
      sections.set(`contents.${name}@${version}`, integrity);
  }
  return sections;
}

function packagesOf(text: string): [string, Locked][] {
  try {
    const lock = JSON.parse(text) as { readonly packages?: { readonly [path: string]: Locked } } | null;
    return Object.entries(lock?.packages ?? {}).filter(([path]) => path.includes('node_modules/'));
  } catch {
    return [];
  }
}
