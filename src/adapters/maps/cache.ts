// What earlier maps found, by the hash of each text: one file that grows by what is new, and is now and then written anew.
// Contract: a cache that cannot be used for any reason is an empty one; losing it costs time and nothing else.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeFolder, replaceFile } from '#adapters/stores/embedded/files.ts';
import { linesOf, lineOf, type StoredRecord, storedRecord } from './cache-lines.ts';
import type { FileRecord } from './file-record.ts';

export interface MapCache {
  readonly isEmpty: boolean;
  find(key: string): FileRecord | null;
  add(key: string, record: FileRecord): void;
  /** Whole maps make what they did not meet grow old; parts say nothing about the rest. */
  save(options: { readonly isWhole: boolean }): Promise<void>;
}

/** Change it with everything that a record depends on: what is shown, how words are read. */
const format = 'untildone-map 2';
/** A branch that was left comes back within a few maps, or not soon. */
const ageMax = 8;
// Beyond that, reading the cache takes longer than it saves.
const bytesMax = 256 * 1024 * 1024;
/** What was added may be so much of the whole before that is written anew, without what grew old. */
const addedShareMax = 0.1;

interface Entry {
  readonly age: number;
  readonly stored: StoredRecord;
  isMet: boolean;
}

export async function openMapCache(folder: string, version: string): Promise<MapCache> {
  const file = join(folder, 'map');
  const head = `${format} ${version}`;
  const { entries, bytes, added } = await load(file, head);
  const fresh: string[] = [];
  return {
    isEmpty: entries.size === 0,
    find(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      entry.isMet = true;
      return entry.stored.record;
    },
    add(key, record) {
      const stored = storedRecord(record);
      entries.set(key, { age: 0, stored, isMet: true });
      fresh.push(lineOf(key, 0, stored));
    },
    async save({ isWhole }) {
      if (fresh.length === 0) return;
      const part = partOf(head, fresh);
      const isSmall = added + part.length < bytes * addedShareMax;
      // A disk that is full or not writable must not cost anybody their map.
      await (
        isSmall
          ? appendFile(file, part, { mode: 0o600 })
          : makeFolder(folder).then(() => replaceFile(file, partOf(head, keptLines(entries, isWhole))))
      ).catch(() => undefined);
    },
  };
}

/** A head with a checksum, and what it speaks of. */
function partOf(head: string, lines: readonly string[]): Buffer {
  const body = Buffer.from(lines.join(''), 'latin1');
  return Buffer.concat([Buffer.from(`${head} ${body.length} ${crc32(body)}\n`), body]);
}

function keptLines(entries: ReadonlyMap<string, Entry>, isWhole: boolean): string[] {
  const kept: string[] = [];
  for (const [key, { age, stored, isMet }] of entries) {
    const next = isMet ? 0 : age + (isWhole ? 1 : 0);
    if (next <= ageMax) kept.push(lineOf(key, next, stored));
  }
  return kept;
}

interface Loaded {
  readonly entries: Map<string, Entry>;
  readonly bytes: number;
  /** How many of these came after the first part. */
  readonly added: number;
}

async function load(file: string, head: string): Promise<Loaded> {
  const nothing: Loaded = { entries: new Map(), bytes: 0, added: 0 };
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null || bytes.length > bytesMax) return nothing;
  const entries = new Map<string, Entry>();
  let firstEnd = 0;
  for (let at = 0; at < bytes.length;) {
    const headEnd = bytes.indexOf(10, at);
    const [length = '', sum = ''] = bytes
      .toString('latin1', at, Math.max(at, headEnd))
      .slice(head.length + 1)
      .split(' ');
    const body = bytes.subarray(headEnd + 1, headEnd + 1 + Number(length));
    const isOurs = bytes.toString('latin1', at, headEnd) === `${head} ${body.length} ${crc32(body)}`;
    if (headEnd === -1 || !isOurs || sum === '') return nothing;
    for (const { key, age, stored } of linesOf(body.toString('latin1')))
      entries.set(key, { age, stored, isMet: false });
    at = headEnd + 1 + body.length;
    if (firstEnd === 0) firstEnd = at;
  }
  return { entries, bytes: bytes.length, added: bytes.length - firstEnd };
}
