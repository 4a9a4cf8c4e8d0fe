import { readFileSync } from 'node:fs';

/** Built, this file lies one folder below package.json; in the sources, two. */
export function ownVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name === 'untildone' && version !== undefined) return version;
    } catch {
      // Not here; try the next one.
    }
  }
  return 'unknown';
}
