// What earlier maps found, by the hash of each text: one file that grows by what is new, and is now and then written anew.
// Contract: a cache that cannot be used for any reason is an empty one; losing it costs time and nothing else.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile } from '#adapters/stores/embedded/files.ts';
import { decodePart, encodePart, type Kept, type Part } from './cache-part.ts';
import type { FileRecord } from './file-record.ts';

export interface MapCache {
  readonly isEmpty: boolean;
  find(key: string): FileRecord | null;
  /** The record of another text that is left with the same when its bodies are emptied. */
  findShort(shortKey: string): FileRecord | null;
  /** `shortKey` is '' where it can be found by its own key only. */
  add(key: string, shortKey: string, record: FileRecord): void;
  /** For a record that is known. `isShort` says that `findShort` may answer with these signatures. */
  addOutline(
    key: string,
    outline: Pick<FileRecord, 'note'> & { readonly signatures: string; readonly isShort: boolean },
  ): void;
  /** Whole maps make what they did not meet grow old; parts say nothing about the rest. */
  save(options: { readonly isWhole: boolean }): Promise<void>;
}

/** Change it with everything that a record depends on: what is shown, how words are read. */
const format = 'untildone-map 6';
/** A branch that was left comes back within a few maps, or not soon. */
const ageMax = 8;
// Beyond that, reading the cache takes longer than it saves.
const bytesMax = 256 * 1024 * 1024;
/** What was added may be so much of the whole before that is written anew, without what grew old. */
const addedShareMax = 0.1;

/** Where a record is, and whether this map has met it. */
interface Entry {
  readonly part: Part;
  readonly at: number;
  isMet: boolean;
}

export async function openMapCache(folder: string, version: string): Promise<MapCache> {
  const file = join(folder, 'map');
  const head = `${format} ${version}`;
  const { parts, bytes, added } = await load(file, head);
  const entries = entriesOf(parts);
  const fresh = new Map<string, Kept>();
  return {
    isEmpty: entries.size === 0,
    find(key) {
      const entry = entries.get(key);
      if (entry === undefined) return fresh.get(key)?.record ?? null;
      entry.isMet = true;
      return entry.part.record(entry.at);
    },
    findShort(shortKey) {
      for (const part of parts.toReversed()) {
        const at = part.findShort(shortKey);
        if (at !== -1) return part.record(at);
      }
      return null;
    },
    add(key, shortKey, record) {
      entries.delete(key);
      fresh.set(key, { key, shortKey, age: 0, record });
    },
    addOutline(key, { signatures, note, isShort }) {
      const entry = entries.get(key);
      const kept = entry?.part.kept(entry.at) ?? fresh.get(key);
      if (kept === undefined) return;
      const { chars, imports, importsSum, words } = kept.record;
      entries.delete(key);
      const record = { chars, imports, importsSum, words, note, signatures };
      fresh.set(key, { key, shortKey: isShort ? kept.shortKey : '', age: 0, record });
    },
    async save({ isWhole }) {
      if (fresh.size === 0) return;
      const part = encodePart(head, [...fresh.values()]);
      const isSmall = added + part.length < bytes * addedShareMax;
      // A disk that is full or not writable must not cost anybody their map.
      await (
        isSmall
          ? appendFile(file, part, { mode: 0o600 })
          : makeFolder(folder).then(() =>
              replaceFile(file, encodePart(head, [...keptOf(entries, isWhole), ...fresh.values()])),
            )
      ).catch(() => undefined);
    },
  };
}

function entriesOf(parts: readonly Part[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const part of parts)
    for (const [at, key] of part.keys.entries()) entries.set(key, { part, at, isMet: false });
  return entries;
}

function keptOf(entries: ReadonlyMap<string, Entry>, isWhole: boolean): Kept[] {
  return [...entries.values()].flatMap(({ part, at, isMet }) => {
    const kept = part.kept(at);
    const age = isMet ? 0 : kept.age + (isWhole ? 1 : 0);
    return age <= ageMax ? [{ ...kept, age }] : [];
  });
}

interface Loaded {
  readonly parts: readonly Part[];
  readonly bytes: number;
  /** How many of these came after the first part. */
  readonly added: number;
}

const nothing: Loaded = { parts: [], bytes: 0, added: 0 };

async function load(file: string, head: string): Promise<Loaded> {
  const bytes = await readFile(file).then(aligned, () => null);
  if (bytes === null || bytes.length > bytesMax) return nothing;
  const parts: Part[] = [];
  let firstEnd = 0;
  for (let at = 0; at < bytes.length;) {
    const decoded = decodePart(bytes, at, head);
    if (decoded === null) return nothing;
    parts.push(decoded.part);
    at = decoded.end;
    if (firstEnd === 0) firstEnd = at;
  }
  return { parts, bytes: bytes.length, added: bytes.length - firstEnd };
}

/** Numbers of four bytes must begin at a multiple of four; what is read mostly does. */
function aligned(bytes: Buffer): Buffer {
  return bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
}
