// Lock files that are JSON: npm, bun, composer, pipenv, NuGet, deno. Pure.
import { type Json, readJson, recordOf } from './json-text.ts';
import { fromAddress, hashes, type Locked, splitName } from './lock-sections.ts';

/** null for a text that is no JSON. */
export function jsonLock(name: string, text: string): Locked[] | null {
  const lock = recordOf(readJson(text));
  if (lock === null) return null;
  const read = readers.find(([pattern]) => pattern.test(name))?.[1];
  return read === undefined ? [] : read(lock);
}

const readers: readonly (readonly [RegExp, (lock: Json) => Locked[]])[] = [
  [/^(package-lock|npm-shrinkwrap)\.json$/, npm],
  [/^bun\.lock$/, bun],
  [/^composer\.lock$/, composer],
  [/^Pipfile\.lock$/, pipenv],
  [/^packages\.lock\.json$/, nuget],
  [/^deno\.lock$/, deno],
];

function npm(lock: Json): Locked[] {
  const packages = entries(lock['packages']).filter(([path]) => path.includes('node_modules/'));
  return packages.map(([path, entry]) => {
    const name = path.replace(/^.*node_modules\//, '');
    const [version, resolved] = [textOf(entry['version']), textOf(entry['resolved'])];
    if (entry['link'] === true) return { name, place: resolved };
    // An alias: the name that it has in the registry.
    if (typeof entry['name'] === 'string' && entry['name'] !== name) return { name, place: entry['name'] };
    const from = resolved === '' ? {} : fromAddress(name, resolved);
    return { name, version, ...from, contents: hashes(textOf(entry['integrity'])) };
  });
}

function bun(lock: Json): Locked[] {
  return Object.entries(recordOf(lock['packages']) ?? {}).flatMap(([key, value]): Locked[] => {
    const row: readonly unknown[] = Array.isArray(value) ? value : [];
    const [own, version] = splitName(textOf(row[0]));
    if (key !== own && !key.endsWith(`/${own}`))
      return [{ name: /(?:@[^/]+\/)?[^/]+$/.exec(key)?.[0] ?? key, place: textOf(row[0]) }];
    if (!/^\d/.test(version)) return [{ name: own, place: version }];
    const [registry, last] = [textOf(row[1]), textOf(row.at(-1))];
    const [origin] = /^https?:\/\/[^/]+/.exec(registry) ?? [];
    const isTarball = registry.endsWith('.tgz');
    const from = isTarball ? fromAddress(own, registry) : origin === undefined ? {} : { origins: [origin] };
    return [{ name: own, version, ...from, contents: hashes(last) }];
  });
}

function composer(lock: Json): Locked[] {
  const rows = [lock['packages'], lock['packages-dev']].flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [],
  );
  return rows.map((row) => {
    const entry = recordOf(row) ?? {};
    const [name, version] = [textOf(entry['name']), textOf(entry['version'])];
    const dist = recordOf(entry['dist']) ?? recordOf(entry['source']) ?? {};
    const url = textOf(dist['url']);
    if (textOf(dist['type']) === 'path') return { name, place: url };
    // A branch moves; a version stays where it is.
    const contents: [string, string][] = version.startsWith('dev-') ? [] : [['', textOf(dist['reference'])]];
    return { name, version, origins: [url.replace(/\/(zipball|archive|repository)\/.*$/, '')], contents };
  });
}

function pipenv(lock: Json): Locked[] {
  return ['default', 'develop'].flatMap((group) =>
    entries(lock[group]).map(([name, entry]) => {
      const place = ['path', 'file', 'git', 'url']
        .map((key) => textOf(entry[key]))
        .find((text) => text !== '');
      const index = textOf(entry['index']);
      return place === undefined ? { name, origins: index === '' ? [] : [index] } : { name, place };
    }),
  );
}

function nuget(lock: Json): Locked[] {
  return entries(lock['dependencies']).flatMap(([, framework]) =>
    entries(framework).map(([name, entry]) =>
      entry['type'] === 'Project'
        ? { name, place: 'project' }
        : { name, version: textOf(entry['resolved']), contents: [['', textOf(entry['contentHash'])]] },
    ),
  );
}

function deno(lock: Json): Locked[] {
  const packages = ['npm', 'jsr'].flatMap((kind) =>
    entries(lock[kind]).map(([key, entry]): Locked => {
      const [name, version] = splitName(key);
      return { name, version, contents: [['', textOf(entry['integrity'])]] };
    }),
  );
  const remote = Object.entries(recordOf(lock['remote']) ?? {});
  return [...packages, ...remote.map(([name, hash]): Locked => ({ name, contents: [['', textOf(hash)]] }))];
}

function entries(value: unknown): [string, Json][] {
  return Object.entries(recordOf(value) ?? {}).map(([key, entry]) => [key, recordOf(entry) ?? {}]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
