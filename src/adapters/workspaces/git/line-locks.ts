// Lock files that are read line by line: pnpm, yarn, cargo, uv, poetry, pdm, go, bundler. Pure.
import { posix } from 'node:path';
import { fromAddress, hashes, type Locked, splitName } from './lock-sections.ts';

/** null for a text that is no lock file of its kind. */
export function lineLock(name: string, text: string): Locked[] | null {
  const found = readers.find(([pattern]) => pattern.test(name));
  if (found === undefined) return [];
  const [, sign, read] = found;
  const plain = text.replaceAll('\r\n', '\n');
  return sign.test(plain) && !isOdd(name, plain) ? read(plain) : null;
}

const readers: readonly (readonly [RegExp, RegExp, (text: string) => Locked[]])[] = [
  [/^pnpm-lock\.yaml$/, /^lockfileVersion:/m, pnpm],
  [/^yarn\.lock$/, /^(# yarn lockfile v1|__metadata:)/m, yarn],
  [/^Cargo\.lock$/, /^(# This file is auto|version = |\[\[package\]\])/m, (text) => blocks(text).map(crate)],
  [
    /^(uv|poetry|pdm)\.lock$/,
    /^(version = |lock-version = |\[\[package\]\]|# This file is auto|\[metadata\])/m,
    (text) => blocks(text).map(python),
  ],
  [/^go\.sum$/, /^\s*\S+[ \t]+\S+[ \t]+\S+[ \t]*$/m, goSum],
  [/^Gemfile\.lock$/, /^(GEM|PATH|GIT|PLATFORMS)$/m, bundler],
];

const yamlLine = /^( *)(?:'([^']*)'|"([^"\\]*)"|([^\s'"#&*!?-](?:[^:\\]|:(?=\S))*)):(?: +(.*))?$/;

/** Keys from the outside in, and the value, of every line of a plain YAML file. */
function* yamlLines(text: string): Generator<{ path: readonly string[]; value: string }> {
  const stack: { indent: number; key: string }[] = [];
  for (const line of unfolded(text)) {
    const match = yamlLine.exec(line);
    if (match === null) continue;
    const indent = match[1]?.length ?? 0;
    while ((stack.at(-1)?.indent ?? -1) >= indent) stack.pop();
    stack.push({ indent, key: match[2] ?? match[3] ?? match[4] ?? '' });
    yield { path: stack.map(({ key }) => key), value: (match[5] ?? '').replace(/^['"]|['"]$/g, '') };
  }
}

/** Without texts of many lines; keys that are too long for a line of their own are written `? key` and `: value`. */
function unfolded(text: string): string[] {
  return text
    .replace(/^( *)\? (.*)$/gm, '$1$2:')
    .replace(/^( *): (?=\S)/gm, '$1  ')
    .replace(/^( *)(.*: [|>][+-]?\d*)\n(?:\1 +.*\n|\n)*/gm, '$1$2\n')
    .split('\n');
}

/**
 * Whether it is written in a way that no packager writes: the languages allow many spellings of one thing, we read one, and a
 * worker could hide behind another.
 */
function isOdd(name: string, text: string): boolean {
  if (name === 'pnpm-lock.yaml') return unfolded(text).some(isOddYaml);
  if (name === 'yarn.lock') return /^(?:[^\s#].*[^:]|.*\\.*:)$/m.test(text.replace(/^[?:] .*$/gm, ''));
  if (!/^(?:Cargo|uv|poetry|pdm)\.lock$/.test(name)) return false;
  const keys = 'name|version|source|checksum|files|wheels|sdist|url|hash|file|registry|package';
  const plain = text.replace(/"(?:\\.|[^"\\\n])*"/g, '""');
  const isSpelt = new RegExp(`["'](?:${keys})["']\\s*=`).test(text) || /^name = "[^"]*\\/m.test(text);
  return (
    isSpelt ||
    new RegExp(`(?<![\\w-])(?:${keys})(?! = ["{[\\d])\\s*=`).test(plain) ||
    /^\s*package = /m.test(plain)
  );
}

function isOddYaml(line: string): boolean {
  if (/^(?:\s*(?:#.*|- .*)?|---)$/.test(line)) return false;
  const match = yamlLine.exec(line);
  if (match === null) return true;
  const [key, value] = [match[2] ?? match[3] ?? match[4] ?? '', match[5] ?? ''];
  if (/\s$/.test(key) || /^[&*!]/.test(value)) return true;
  if (!value.startsWith('{') || value === '{}' || key === 'engines') return false;
  return key !== 'resolution' || !/^\{\w+: [^,{}"]+(?:, \w+: [^,{}"]+)*\}$/.test(value);
}

const dependencyLists = /^(dev|optional|peer)?[dD]ependencies$/;

function pnpm(text: string): Locked[] {
  const packages = new Map<string, string[]>();
  const found: Locked[] = [];
  for (const { path, value } of yamlLines(text)) {
    const [top = '', key = '', field = ''] = path;
    if (top === 'packages' && key !== '' && ['resolution', 'name', ''].includes(field))
      packages.set(key, [...(packages.get(key) ?? []), `${path.slice(2).join('.')}: ${value}`]);
    // What an importer or a package takes under a name: a version, or something else.
    const at = path.findIndex((each) => dependencyLists.test(each));
    const inner = path.slice(at + 2).join('.');
    if (at < 0 || path.length < at + 2 || top === 'specifiers' || !['', 'version'].includes(inner)) continue;
    const name = path[at + 1] ?? '';
    if (value !== '' && !/^\d/.test(value) && path.length - at <= 3 && !isRange(path, at))
      found.push({ name, place: linked(value.replace(/\(.*$/, ''), top === 'importers' ? key : '.') });
  }
  return [...found, ...[...packages].map(([key, lines]) => pnpmPackage(key, lines.join('\n')))];
}

/** A link is relative to the package that has it. */
function linked(place: string, importer: string): string {
  return place.startsWith('link:') ? `link:${posix.normalize(posix.join(importer, place.slice(5)))}` : place;
}

/** What a package wants of its peers is a range, not what it got. */
function isRange(path: readonly string[], at: number): boolean {
  return path[at] === 'peerDependencies';
}

function pnpmPackage(key: string, fields: string): Locked {
  const plain = key.replace(/^\//, '').replace(/\(.*$/, '');
  const named = /^name: (.+)$/m.exec(fields)?.[1];
  const slash = plain.lastIndexOf('/');
  const [name, version] = plain.includes('@', 1)
    ? splitName(plain)
    : [plain.slice(0, Math.max(slash, 0)), plain.slice(slash + 1).replace(/_.*$/, '')];
  if (!/^\d/.test(version)) return { name: named ?? (name === '' ? plain : name), place: plain };
  const value = (of: string): string => new RegExp(`\\b${of}: ([^,}\\s]+)`).exec(fields)?.[1] ?? '';
  const from =
    value('directory') + value('repo') !== ''
      ? { place: `${value('directory')}${value('repo')}` }
      : value('tarball') === ''
        ? {}
        : fromAddress(name, value('tarball').replace(/^['"]|['"]$/g, ''));
  return { name: named ?? name, version, ...from, contents: hashes(value('integrity')) };
}

function yarn(text: string): Locked[] {
  const cacheKey = /^ {2}cacheKey: (\S+)$/m.exec(text)?.[1] ?? '';
  const plain = text.replace(/^\? (.*)$/gm, '$1:').replace(/^: (?=\S)/gm, '  ');
  return [...plain.matchAll(/^(?=[^\s#])(.+):\n((?:[ \t]+.*\n?)*)/gm)].flatMap(([, head = '', body = '']) => {
    const field = (name: string): string =>
      new RegExp(`^ {2}${name}:? "?([^"\\n]*)"?$`, 'm').exec(body)?.[1] ?? '';
    const wanted = head.replaceAll('"', '').split(/,\s*/).map(splitName);
    if (head === '__metadata') return [];
    const version = field('version');
    const kept = {
      version,
      contents: [...hashes(field('integrity')), ...checksum(field('checksum'), cacheKey)],
    };
    return wanted.map(([name, range]) =>
      field('resolution') === ''
        ? { name, ...kept, ...classicSource(name, range, field('resolved')) }
        : { name, ...kept, ...berrySource(name, field('resolution')) },
    );
  });
}

function checksum(text: string, cacheKey: string): [string, string][] {
  return text === '' ? [] : [[` ${cacheKey}`, text]];
}

function classicSource(name: string, range: string, resolved: string): Pick<Locked, 'place' | 'origins'> {
  if (range.startsWith('npm:') && splitName(range.slice(4))[0] !== name) return { place: range };
  if (resolved === '') return { place: range };
  // In a folder of downloaded packages, which the file names; its hash is compared.
  return /^[\w-]+:/.test(resolved) ? fromAddress(name, resolved) : { origins: ['./'] };
}

function berrySource(name: string, resolution: string): Pick<Locked, 'place' | 'origins'> {
  const [own, reference] = splitName(resolution);
  const place = resolution.replace(/\bhash=[^&#]*/g, '');
  const archive = /__archiveUrl=([^&#]+)/.exec(reference)?.[1];
  if (own !== name) return { place };
  if (archive !== undefined) return fromAddress(name, decodeURIComponent(archive));
  // yarn mends some packages by itself.
  const isOwnPatch = /^patch:[^#]*#(~|optional!)builtin<[^>]*>/.test(reference) && !reference.includes('./');
  return reference.startsWith('npm:') || isOwnPatch ? {} : { place };
}

function blocks(text: string): string[] {
  return text
    .split(/^\[\[package\]\]\s*$/m)
    .slice(1)
    .map((each) => each.replace(/^\[metadata[\s\S]*$/m, ''));
}

function value(block: string, key: string): string {
  return new RegExp(`^${key} = "([^"]*)"`, 'm').exec(block)?.[1] ?? '';
}

function crate(block: string): Locked {
  const [name, version, source] = [value(block, 'name'), value(block, 'version'), value(block, 'source')];
  if (!/^(registry|sparse)\+/.test(source)) return { name, place: source === '' ? 'a folder' : source };
  const sum = value(block, 'checksum');
  return { name, version, origins: [source], contents: sum === '' ? [] : [['', sum]] };
}

function python(block: string): Locked {
  const [name, version] = [value(block, 'name'), value(block, 'version')];
  const source =
    /^source = \{([^}]*)\}/m.exec(block)?.[1] ?? /^\[package\.source\]\n((?:\w.*\n?)*)/m.exec(block)?.[1];
  const isRegistry = source === undefined || /\bregistry = "http|\btype = "legacy"/.test(source);
  const own = ['path', 'git', 'url', 'editable', 'directory', 'virtual'].some((key) =>
    new RegExp(`^${key} = "`, 'm').test(block),
  );
  if (!isRegistry || own) return { name, place: (source ?? 'a folder').trim() };
  const files = [...block.matchAll(/\b(?:url|file) = "([^"]+)", hash = "([^"]+)"/g)];
  const addresses = [...files.map(([, url = '']) => url), ...(source?.match(/https?:\/\/[^"]+/g) ?? [])];
  return {
    name,
    version,
    origins: addresses.flatMap((url) => /^https?:\/\/[^/]+/.exec(url)?.[0] ?? []),
    contents: files.map(([, url = '', hash = '']) => [`/${url.replace(/^.*\//, '')}`, hash]),
  };
}

function goSum(text: string): Locked[] {
  return [...text.matchAll(/^\s*(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]*$/gm)].map(
    ([, name = '', version = '', hash = '']) => ({
      name,
      version,
      contents: [['', hash]],
    }),
  );
}

function bundler(text: string): Locked[] {
  const sums = [...text.matchAll(/^ {2}(\S+) \(([^)]+)\) (sha\S+)$/gm)].map(
    ([, name = '', version = '', hash = '']): Locked => ({ name, version, contents: [['', hash]] }),
  );
  const parts = [...text.matchAll(/^(GEM|PATH|GIT)\n((?: .*\n?)*)/gm)];
  const gems = parts.flatMap(([, kind, body = '']) => {
    const remote = /^ {2}remote: (.+)$/m.exec(body)?.[1] ?? '';
    return [...body.matchAll(/^ {4}(\S+) \(/gm)].map(([, name = '']): Locked =>
      kind === 'GEM' ? { name, origins: [remote] } : { name, place: remote },
    );
  });
  return [...gems, ...sums];
}
