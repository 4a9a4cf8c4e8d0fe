// Pins files outside of the repository that influence its checks, if no sandbox protects them.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';
import picomatch from 'picomatch';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { programGroups } from './outside-programs.ts';
import { type Group, type OutsidePlace, steeringGroups, steeringPart } from './outside-rules.ts';

/** Pins of another version are not compared: other rules may have made them. */
const mark = 'outside-2';
const why = 'steers checks from outside of the repository';
// A larger runner is identified by its two ends, its size and its time.
const wholeBytesMax = 8 * 1024 * 1024;
const endBytes = 64 * 1024;

/** One pin for each group of names, and one for each existing file of a group. */
export function outsidePins(place: OutsidePlace, texts: readonly string[]): Pin[] {
  const groups = [...steeringGroups(place, texts), ...programGroups(place, texts)];
  const pins = groups.map(({ folder, names }) => ({
    path: labelOf(place.home, join(folder, `{${names.join(',')}}`)),
    hash: mark,
    why,
  }));
  const files = [...standing(place.home, pins)];
  return [...pins, ...files.map(([path, hash]) => ({ path, hash: `${mark} ${hash}`, why }))];
}

export function isOutsidePin({ hash }: Pin): boolean {
  return /^outside-\d+( |$)/.test(hash);
}

/** Earlier pins stay, and the paths that they cover are not pinned again: an agent has worked since. */
export function withEarlier(fresh: readonly Pin[], earlier: readonly Pin[]): Pin[] {
  const old = earlier.filter(isOutsidePin);
  const groups = old.filter(isGroup).map(({ path }) => groupOf(path));
  const isWatched = (path: string): boolean =>
    groups.some(({ folder, names }) => {
      const at = path.lastIndexOf('/');
      const isThere =
        path.slice(0, at) === folder || (folder !== '' && picomatch.isMatch(path.slice(0, at), folder));
      return isThere && matches(names)(path.slice(at + 1));
    });
  const paths = new Set(old.map(({ path }) => path));
  return [...old, ...fresh.filter((pin) => !paths.has(pin.path) && (isGroup(pin) || !isWatched(pin.path)))];
}

/** Contract: ignores pins on files of the repository. */
export function brokenOutside(home: string, all: readonly Pin[], mayChange: readonly string[]): BrokenPin[] {
  const pins = all.filter(({ hash }) => hash === mark || hash.startsWith(`${mark} `));
  if (pins.length === 0) return [];
  const now = standing(home, pins.filter(isGroup));
  const old = new Map(
    pins.filter((pin) => !isGroup(pin)).map(({ path, hash }) => [path, hash.slice(mark.length + 1)]),
  );
  // A glob for files of the repository does not apply here.
  const allowed = mayChange.filter((glob) => /^[~/]/.test(glob)).map((glob) => labelOf(home, glob));
  const isAllowed = (path: string): boolean =>
    allowed.includes(path) || (allowed.length > 0 && picomatch.isMatch(path, allowed, { dot: true }));
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((path): BrokenPin[] => {
    const [was, is] = [old.get(path), now.get(path)];
    if (was === is || isAllowed(path)) return [];
    const content = is ?? '';
    if (was === undefined)
      return [
        {
          path,
          change: 'added',
          why: `${why}, which nothing in it did at the start; if it is meant, allow it with --may-change '${path}'`,
          content,
        },
      ];
    return [{ path, change: is === undefined ? 'deleted' : 'changed', why, content }];
  });
}

/** Equal for two runs of a check with the same outside files; '' if none are watched. */
export function outsideState(home: string, all: readonly Pin[]): string {
  const groups = all.filter((pin) => pin.hash === mark);
  if (groups.length === 0) return '';
  return sha(JSON.stringify([...standing(home, groups)].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

function isGroup({ hash }: Pin): boolean {
  return !hash.includes(' ');
}

/** Writes the home folder as `~`, as in `~/.npmrc`. */
function labelOf(home: string, path: string): string {
  const label = home !== sep && isWithin(path, home) ? `~${path.slice(home.length)}` : path;
  return sep === '/' ? label : label.replaceAll(sep, '/');
}

function groupOf(path: string): Group {
  const [, folder = '', names = ''] = /^(.*)\/\{(.*)\}$/.exec(path) ?? [];
  return { folder, names: names.split(',') };
}

/** Maps each existing file of the groups to a hash of its relevant part. */
function standing(home: string, groups: readonly Pin[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path } of groups) {
    const { folder, names } = groupOf(path);
    const isNamed = matches(names);
    for (const place of foldersOf(folder.replace(/^~(?=\/|$)/, home)))
      for (const name of listed(place).filter(isNamed)) {
        const path = join(place === '' ? '/' : place, name);
        const hash = hashOf(path);
        if (hash !== '') found.set(labelOf(home, path), hash);
      }
  }
  return found;
}

function matches(names: readonly string[]): (name: string) => boolean {
  const literal = new Set(names);
  const globs = names.filter((name) => name.includes('*'));
  const isMatch = globs.length === 0 ? () => false : picomatch(globs, { dot: true });
  return (name) => literal.has(name) || isMatch(name);
}

/** A `*` in a folder name means each existing folder that matches. */
function foldersOf(folder: string): string[] {
  if (!folder.includes('*')) return [folder];
  const [first = '', ...parts] = folder.split('/');
  return parts.reduce<string[]>(
    (folders, part) =>
      folders.flatMap((each) =>
        part.includes('*')
          ? listed(each)
              .filter(matches([part]))
              .map((name) => `${each}/${name}`)
          : [`${each}/${part}`],
      ),
    [first],
  );
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder === '' ? '/' : folder);
  } catch {
    return [];
  }
}

/** Hashes by file state, which includes the ctime: a process cannot set it. */
const known = new Map<string, { readonly state: string; readonly hash: string }>();

/** '' when the file is missing or has no relevant part. An unreadable file counts by its existence. */
function hashOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return '';
    if (!found.isFile()) return hashPackages(path);
    const state = [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ');
    const last = known.get(path);
    if (last?.state === state) return last.hash;
    const hash = found.size > wholeBytesMax ? hashEnds(path, found) : hashWhole(path);
    known.set(path, { state, hash });
    return hash;
  } catch {
    return 'unreadable';
  }
}

/** A folder of packages is identified by their names; any other folder by its existence. */
function hashPackages(path: string): string {
  if (!path.endsWith('node_modules')) return 'no file';
  const names = listed(path).filter((name) => !name.startsWith('.'));
  const all = names.flatMap((name) =>
    name.startsWith('@') ? listed(join(path, name)).map((each) => `${name}/${each}`) : [name],
  );
  return sha(JSON.stringify(all.toSorted()));
}

function hashWhole(path: string): string {
  const bytes = readFileSync(path);
  const part = bytes.includes(0) ? bytes : steeringPart(path, bytes.toString('utf8'));
  return part.length === 0 ? '' : sha(part);
}

function hashEnds(path: string, { size, mtimeMs }: Stats): string {
  const file = openSync(path, 'r');
  try {
    const ends = Buffer.alloc(2 * endBytes);
    readSync(file, ends, 0, endBytes, 0);
    readSync(file, ends, endBytes, endBytes, size - endBytes);
    return sha(`${size} ${mtimeMs} ${sha(ends)}`);
  } finally {
    closeSync(file);
  }
}

function sha(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
