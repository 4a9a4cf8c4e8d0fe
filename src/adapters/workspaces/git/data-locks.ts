// Lock files in TOML and YAML: pnpm, yarn 2 and later, cargo, uv, poetry, pdm. Pure.
import { posix } from 'node:path';
import { listOf } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { readYaml } from '#analysis/texts/yaml.ts';
import { type Json, recordOf } from './json-text.ts';
import { fromAddress, hashes, type Locked, splitName } from './lock-sections.ts';

/** null for a text that is no lock file of its kind. */
export function dataLock(name: string, text: string): Locked[] | null {
  if (name === 'pnpm-lock.yaml') return yamlLock(text, 'lockfileVersion', pnpm);
  if (name === 'yarn.lock') return yamlLock(text, '__metadata', berry);
  const lock = readToml(text);
  if (lock === null) return null;
  return listOf(lock['package']).map((each) =>
    (name === 'Cargo.lock' ? crate : python)(recordOf(each) ?? {}),
  );
}

/** pnpm may put a lock of its own tools before the one of the work. */
function yamlLock(text: string, sign: string, read: (lock: Json) => Locked[]): Locked[] | null {
  const documents = readYaml(text, 'text')?.map((each) => recordOf(each) ?? {});
  if (documents === undefined || documents.length === 0) return null;
  return documents.every((each) => Object.hasOwn(each, sign)) ? documents.flatMap(read) : null;
}

/** What a package wants of its peers is a range, not what it got. */
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

/** What an importer or a package takes under a name: a version, or something else. */
function placed(importer: string): (entry: [string, unknown]) => Locked[] {
  return ([name, value]) => {
    const version = textOf(recordOf(value)?.['version'] ?? value);
    return version === '' || /^\d/.test(version)
      ? []
      : [{ name, place: linked(version.replace(/\(.*$/, ''), importer) }];
  };
}

/** A link is relative to the package that has it. */
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
  // yarn mends some packages by itself.
  const isOwnPatch = /^patch:[^#]*#(~|optional!)builtin<[^>]*>/.test(reference) && !reference.includes('./');
  return reference.startsWith('npm:') || isOwnPatch ? {} : { place };
}

function crate(entry: Json): Locked {
  const [name, version, source] = [textOf(entry['name']), textOf(entry['version']), textOf(entry['source'])];
  if (!/^(registry|sparse)\+/.test(source)) return { name, place: source === '' ? 'a folder' : source };
  const sum = textOf(entry['checksum']);
  return { name, version, origins: [source], contents: sum === '' ? [] : [['', sum]] };
}

const ownPlaces = ['path', 'git', 'url', 'editable', 'directory', 'virtual'];

function python(entry: Json): Locked {
  const [name, version] = [textOf(entry['name']), textOf(entry['version'])];
  const source = recordOf(entry['source']);
  const registry = textOf(
    source?.['registry'] ?? (source?.['type'] === 'legacy' ? source['url'] : undefined),
  );
  const isElsewhere = source !== null && !/^https?:/.test(registry);
  if (isElsewhere || ownPlaces.some((key) => key in entry))
    return { name, place: JSON.stringify(source ?? 'a folder') };
  const files = [entry['sdist'], ...listOf(entry['wheels']), ...listOf(entry['files'])].flatMap((each) => {
    const { url, file, hash } = recordOf(each) ?? {};
    return typeof hash === 'string' ? [[textOf(url ?? file), hash] as const] : [];
  });
  return {
    name,
    version,
    origins: [...files.map(([url]) => url), registry].flatMap(
      (url) => /^https?:\/\/[^/]+/.exec(url)?.[0] ?? [],
    ),
    contents: files.map(([url, hash]) => [`/${url.replace(/^.*\//, '')}`, hash]),
  };
}

function entries(value: unknown): [string, Json][] {
  return Object.entries(recordOf(value) ?? {}).map(([key, entry]) => [key, recordOf(entry) ?? {}]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
