// Reads the lock files of npm, bun, pnpm and yarn. Pure.
import { posix } from 'node:path';
import { type Json, recordOf } from '#analysis/texts/json-text.ts';
import {
  entries,
  jsonLock,
  lineLock,
  textOf,
  yamlLock,
} from '#analysis/ecosystems/manifests/lock-readers.ts';
import { fromAddress, hashes, type Locked, splitName } from '#analysis/ecosystems/manifests/lock-sections.ts';

export const npmLock = jsonLock(npm);
export const bunLock = jsonLock(bun);
export const pnpmLock = yamlLock('lockfileVersion', pnpm);

const classicSign = /^# yarn lockfile v1/m;
const classicLock = lineLock(classicSign, yarnClassic);
const berryLock = yamlLock('__metadata', berry);

/** yarn used its own format first, and YAML later; the first line says which. */
export function yarnLock(text: string): readonly Locked[] | null {
  return (classicSign.test(text) ? classicLock : berryLock)(text);
}

function npm(lock: Json): Locked[] {
  const packages = entries(lock['packages']).filter(([path]) => path.includes('node_modules/'));
  return packages.map(([path, entry]) => {
    const name = path.replace(/^.*node_modules\//, '');
    const [version, resolved] = [textOf(entry['version']), textOf(entry['resolved'])];
    if (entry['link'] === true) return { name, place: resolved };
    // An alias: the name in the registry.
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

/** Peer dependencies hold a range, not the installed version. */
const dependencyLists = ['dependencies', 'devDependencies', 'optionalDependencies'];

function pnpm(lock: Json): Locked[] {
  // Older ones have a single importer, which is the lock itself.
  const importers = [['.', lock] as const, ...entries(lock['importers'])];
  const packages = entries(lock['packages']);
  const takers = [...packages, ...entries(lock['snapshots'])].map(([, entry]) => ['.', entry] as const);
  const taken = [...importers, ...takers].flatMap(([folder, entry]) =>
    dependencyLists.flatMap((list) => Object.entries(recordOf(entry[list]) ?? {}).flatMap(placed(folder))),
  );
  return [...taken, ...packages.map(([key, entry]) => pnpmPackage(key, entry))];
}

/** The value of an importer or a package under a name: a version, or a place. */
function placed(importer: string): (entry: [string, unknown]) => Locked[] {
  return ([name, value]) => {
    const version = textOf(recordOf(value)?.['version'] ?? value);
    return version === '' || /^\d/.test(version)
      ? []
      : [{ name, place: linked(version.replace(/\(.*$/, ''), importer) }];
  };
}

/** A link is relative to its package. */
function linked(place: string, importer: string): string {
  return place.startsWith('link:') ? `link:${posix.normalize(posix.join(importer, place.slice(5)))}` : place;
}

function pnpmPackage(key: string, entry: Json): Locked {
  const plain = key.replace(/^\//, '').replace(/\(.*$/, '');
  const slash = plain.lastIndexOf('/');
  const [own, version] = plain.includes('@', 1)
    ? splitName(plain)
    : [plain.slice(0, Math.max(slash, 0)), plain.slice(slash + 1).replace(/_.*$/, '')];
  const named = textOf(entry['name']);
  const name = named === '' ? own : named;
  if (!/^\d/.test(version)) return { name: name === '' ? plain : name, place: plain };
  const resolution = recordOf(entry['resolution']) ?? {};
  const [elsewhere, tarball] = [
    `${textOf(resolution['directory'])}${textOf(resolution['repo'])}`,
    textOf(resolution['tarball']),
  ];
  const from = elsewhere !== '' ? { place: elsewhere } : tarball === '' ? {} : fromAddress(own, tarball);
  return { name, version, ...from, contents: hashes(textOf(resolution['integrity'])) };
}

/** Null if yarn does not write it so: another spelling could hide something. */
function yarnClassic(text: string): Locked[] | null {
  if (/^(?:[^\s#].*[^:]|.*\\.*:|__metadata:)$/m.test(text)) return null;
  return [...text.matchAll(/^(?=[^\s#])(.+):\n((?:[ \t]+.*\n?)*)/gm)].flatMap(([, head = '', body = '']) => {
    const field = (name: string): string =>
      new RegExp(`^ {2}${name}:? "?([^"\\n]*)"?$`, 'm').exec(body)?.[1] ?? '';
    const wanted = head.replaceAll('"', '').split(/,\s*/).map(splitName);
    const kept = { version: field('version'), contents: hashes(field('integrity')) };
    return wanted.map(([name, range]) => ({ name, ...kept, ...sourceOf(name, range, field('resolved')) }));
  });
}

function sourceOf(name: string, range: string, resolved: string): Pick<Locked, 'place' | 'origins'> {
  if (range.startsWith('npm:') && splitName(range.slice(4))[0] !== name) return { place: range };
  if (resolved === '') return { place: range };
  // In a folder of downloaded packages, which the file names; its hash is compared.
  return /^[\w-]+:/.test(resolved) ? fromAddress(name, resolved) : { origins: ['./'] };
}

function berry({ __metadata, ...lock }: Json): Locked[] {
  const cacheKey = textOf(recordOf(__metadata)?.['cacheKey']);
  return entries(lock).flatMap(([head, entry]) => {
    const checksum = textOf(entry['checksum']);
    const kept = {
      version: textOf(entry['version']),
      contents: checksum === '' ? [] : [[` ${cacheKey}`, checksum] as const],
    };
    const names = head.split(/,\s*/).map((wanted) => splitName(wanted)[0]);
    return names.map((name) => ({ name, ...kept, ...berrySource(name, textOf(entry['resolution'])) }));
  });
}

function berrySource(name: string, resolution: string): Pick<Locked, 'place' | 'origins'> {
  const [own, reference] = splitName(resolution);
  const place = resolution.replace(/\bhash=[^&#]*/g, '');
  const archive = /__archiveUrl=([^&#]+)/.exec(reference)?.[1];
  if (own !== name) return { place };
  if (archive !== undefined) return fromAddress(name, archive.replaceAll('%3A', ':').replaceAll('%2F', '/'));
  // yarn patches some packages itself.
  const isOwnPatch = /^patch:[^#]*#(~|optional!)builtin<[^>]*>/.test(reference) && !reference.includes('./');
  return reference.startsWith('npm:') || isOwnPatch ? {} : { place };
}
