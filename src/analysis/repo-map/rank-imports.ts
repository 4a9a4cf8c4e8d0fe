// Ranks by imports: files that near files use are near too (PageRank from the files that words found).

export interface Linked {
  readonly path: string;
  /** One per line, no endings: `./x` and `../x` relative, `a/b` from anywhere, `a/b/` for a folder. */
  readonly imports: string;
}

/** Which file names which others, by position; in one flat array, to save memory. */
export interface Links {
  readonly targets: Int32Array;
  /** Where the targets of a file end, and those of the next begin. */
  readonly ends: Int32Array;
}

export function linksOf(files: readonly Linked[]): Links {
  const index = indexOf(files);
  const targets: number[] = [];
  const ends = new Int32Array(files.length);
  for (const [from, file] of files.entries()) {
    const found = new Set<number>();
    const names = file.imports === '' ? [] : file.imports.split('\n');
    for (const name of names) for (const to of resolve(name, file.path, index)) found.add(to);
    found.delete(from);
    for (const to of found) targets.push(to);
    ends[from] = targets.length;
  }
  return { targets: Int32Array.from(targets), ends };
}

interface Index {
  readonly files: readonly Linked[];
  readonly byPath: ReadonlyMap<string, number>;
  /** By the last part of the path, without ending. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  readonly byFolder: ReadonlyMap<string, readonly number[]>;
  readonly known: Map<string, readonly number[]>;
}

/** A package is represented by the main file of its folder. */
const speakers = /\/(?:index|__init__|mod|lib|main)$/;

function indexOf(files: readonly Linked[]): Index {
  const byPath = new Map<string, number>();
  const byName = new Map<string, number[]>();
  const byFolder = new Map<string, number[]>();
  for (const [at, { path }] of files.entries()) {
    const bare = path.replace(/(?:\.d)?\.[^./]+$/, '');
    for (const name of new Set([bare, bare.replace(speakers, '')])) {
      if (!byPath.has(name)) byPath.set(name, at);
      push(byName, lastPart(name), at);
    }
    push(byFolder, lastPart(folderOf(path)), at);
  }
  return { files, byPath, byName, byFolder, known: new Map() };
}

function push(into: Map<string, number[]>, key: string, value: number): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, [value]);
  else list.push(value);
}

// Above this a name says nothing.
const candidatesMax = 400;
const targetsMax = 12;

function resolve(name: string, from: string, index: Index): readonly number[] {
  if (name.startsWith('.')) {
    const found = index.byPath.get(join(folderOf(from), name));
    return found === undefined ? [] : [found];
  }
  const found = remembered(name, index);
  if (name.includes('/') || found.length < 2) return found;
  // A name of one part means a file in the same folder, or nothing certain.
  return found.filter((at) => folderOf(index.files[at]?.path ?? '') === folderOf(from));
}

/** The same names occur in many files. */
function remembered(name: string, index: Index): readonly number[] {
  const before = index.known.get(name);
  if (before !== undefined) return before;
  const found = filesNamed(name, index);
  index.known.set(name, found);
  return found;
}

function filesNamed(name: string, { files, byName, byFolder }: Index): readonly number[] {
  const pathOf = (at: number): string => files[at]?.path ?? '';
  if (name.endsWith('/')) {
    return nearest(name.slice(0, -1), byFolder, (at) => folderOf(pathOf(at))).slice(0, targetsMax);
  }
  const found = nearest(name, byName, (at) =>
    pathOf(at)
      .replace(/\.[^./]+$/, '')
      .replace(speakers, ''),
  );
  return name.includes('/') && found.length > 3 ? [] : found;
}

/** Those whose path shares the longest end with the name; a name of several parts needs two. */
function nearest(
  name: string,
  by: ReadonlyMap<string, readonly number[]>,
  pathOf: (at: number) => string,
): readonly number[] {
  const candidates = by.get(lastPart(name)) ?? [];
  if (candidates.length > candidatesMax) return [];
  const wanted = name.split('/');
  const least = Math.min(2, wanted.length);
  let best = least;
  let found: number[] = [];
  for (const at of candidates) {
    const length = commonTail(wanted, pathOf(at).split('/'));
    if (length > best) {
      best = length;
      found = [];
    }
    if (length === best) found.push(at);
  }
  return found;
}

function commonTail(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function join(folder: string, name: string): string {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

const damping = 0.85;
const rounds = 20;

/** `seeds` say where a walk begins; all zero means anywhere. The result adds up to 1. */
export function pageRank(links: Links, seeds: Float64Array): Float64Array {
  const size = links.ends.length;
  const sum = seeds.reduce((total, seed) => total + seed, 0);
  const start = seeds.map((seed) => (sum === 0 ? 1 / Math.max(1, size) : seed / sum));
  let rank = Float64Array.from(start);
  for (let round = 0; round < rounds; round += 1) rank = walk(rank, start, links);
  return rank;
}

function walk(rank: Float64Array, start: Float64Array, { targets, ends }: Links): Float64Array<ArrayBuffer> {
  const size = rank.length;
  const next = new Float64Array(size);
  let lost = 0;
  for (let from = 0, at = 0; from < size; from += 1) {
    const end = ends[from] ?? 0;
    const weight = rank[from] ?? 0;
    if (at === end) lost += weight;
    const share = weight / (end - at);
    for (; at < end; at += 1) {
      const to = targets[at] ?? 0;
      next[to] = (next[to] ?? 0) + share;
    }
  }
  // A file without links restarts the walk, as a walk does now and then anyway.
  for (let at = 0; at < size; at += 1) {
    const anew = start[at] ?? 0;
    next[at] = damping * ((next[at] ?? 0) + lost * anew) + (1 - damping) * anew;
  }
  return next;
}
