// What earlier maps found, by the hash of each text: one file, one line for each text, a checksum over all.
// Contract: a cache that cannot be used for any reason is an empty one; losing it costs time and nothing else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeFolder, replaceFile } from '#adapters/stores/embedded/files.ts';
import type { FileRecord } from './file-record.ts';

export interface MapCache {
  readonly isEmpty: boolean;
  find(key: string): FileRecord | null;
  add(key: string, record: FileRecord): void;
  /** Whole maps make what they did not meet grow old; parts say nothing about the rest. */
  save(options: { readonly isWhole: boolean }): Promise<void>;
}

/** Change it with everything that a record depends on: what is shown, how words are read. */
const format = 'untildone-map 1';
/** A branch that was left comes back within a few maps, or not soon. */
const ageMax = 8;
// Beyond that, reading the cache takes longer than it saves.
const bytesMax = 256 * 1024 * 1024;

interface Entry {
  age: number;
  /** Read from the disk and not yet needed. */
  json: string;
  record: FileRecord | null;
  isMet: boolean;
}

export async function openMapCache(folder: string, version: string): Promise<MapCache> {
  const file = join(folder, 'map');
  const head = `${format} ${version}`;
  const entries = await load(file, head);
  let isChanged = false;
  return {
    isEmpty: entries.size === 0,
    find(key) {
      const entry = entries.get(key);
      if (entry === undefined) return null;
      entry.isMet = true;
      entry.record ??= parseRecord(entry.json);
      return entry.record;
    },
    add(key, record) {
      isChanged = true;
      entries.set(key, { age: 0, json: JSON.stringify(record), record, isMet: true });
    },
    async save({ isWhole }) {
      if (!isChanged) return;
      const body = lines(entries, isWhole);
      // A disk that is full or not writable must not cost anybody their map.
      await makeFolder(folder)
        .then(() => replaceFile(file, Buffer.concat([Buffer.from(`${head} ${crc32(body)}\n`), body])))
        .catch(() => undefined);
    },
  };
}

function lines(entries: ReadonlyMap<string, Entry>, isWhole: boolean): Buffer {
  const kept: string[] = [];
  for (const [key, { age, json, isMet }] of entries) {
    const next = isMet ? 0 : age + (isWhole ? 1 : 0);
    if (next <= ageMax) kept.push(`${key} ${next} ${json}\n`);
  }
  return Buffer.from(kept.join(''));
}

async function load(file: string, head: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null || bytes.length > bytesMax) return entries;
  const firstEnd = bytes.indexOf(10);
  const body = bytes.subarray(firstEnd + 1);
  if (bytes.toString('utf8', 0, Math.max(0, firstEnd)) !== `${head} ${crc32(body)}`) return entries;
  const text = body.toString('utf8');
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const keyEnd = text.indexOf(' ', at);
    const ageEnd = text.indexOf(' ', keyEnd + 1);
    const age = Number(text.slice(keyEnd + 1, ageEnd));
    entries.set(text.slice(at, keyEnd), {
      age,
      json: text.slice(ageEnd + 1, end),
      record: null,
      isMet: false,
    });
    at = end + 1;
  }
  return entries;
}

/** The checksum says that it is ours, so the shape is known. */
function parseRecord(json: string): FileRecord | null {
  try {
    return JSON.parse(json) as FileRecord;
  } catch {
    return null;
  }
}
