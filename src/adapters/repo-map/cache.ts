// Caches the results of earlier maps by the hash of each text, and the links between files, in one SQLite
// file. Contract: a cache that cannot be used is empty; losing it costs only time.
import { join } from 'node:path';
import type { FileRecord } from '#analysis/repo-map/file-record.ts';
import { type FileLinks, type Kept, loadRecords, type Stored, storeRecords } from './cache-file.ts';

export interface MapCache {
  readonly isEmpty: boolean;
  find(key: string): FileRecord | null;
  /** The record of another text that is equal once its bodies are emptied. */
  findShort(shortKey: string): FileRecord | null;
  /** `shortKey` is '' if only `key` may find it. */
  add(key: string, shortKey: string, record: FileRecord): void;
  /** For a known record. `isShort`: `findShort` may return these signatures. */
  addOutline(
    key: string,
    outline: Pick<FileRecord, 'note'> & { readonly signatures: string; readonly isShort: boolean },
  ): void;
  /** The links of the last map; null if `key`, which covers all their inputs, has changed. */
  findLinks(key: string): FileLinks | null;
  addLinks(key: string, links: FileLinks): void;
  /** After a whole map, unused records age; a partial map says nothing about the others. */
  save(options: { readonly isWhole: boolean }): Promise<void>;
}

/** Change it with everything that records or links depend on: output, word reading, import resolution. */
const format = 'untildone-map 7';
/** A branch comes back within a few maps, or not soon. */
const ageMax = 8;
const nothing: Stored = { records: new Map(), links: null };

export async function openMapCache(folder: string, version: string): Promise<MapCache> {
  const place = { folder, file: join(folder, 'map'), head: `${format} ${version}` };
  const stored = await loadRecords(place);
  const { records, links } = stored ?? nothing;
  const shorts = new Map(Array.from(records.values(), ({ shortKey, record }) => [shortKey, record]));
  const met = new Set<string>();
  const fresh = new Map<string, Kept>();
  let newLinks: Stored['links'] = null;
  return {
    isEmpty: records.size === 0,
    find(key) {
      met.add(key);
      return (fresh.get(key) ?? records.get(key))?.record ?? null;
    },
    findShort: (shortKey) => shorts.get(shortKey) ?? null,
    add(key, shortKey, record) {
      fresh.set(key, { key, shortKey, age: 0, record });
    },
    addOutline(key, { signatures, note, isShort }) {
      const kept = fresh.get(key) ?? records.get(key);
      if (kept === undefined) return;
      const shortKey = isShort ? kept.shortKey : '';
      fresh.set(key, { key, shortKey, age: 0, record: { ...kept.record, note, signatures } });
    },
    findLinks: (key) => (links?.key === key ? links : null),
    addLinks(key, found) {
      newLinks = { key, ...found };
    },
    async save({ isWhole }) {
      if (fresh.size === 0 && newLinks === null) return;
      const others = isWhole ? [...records.values()].filter(({ key }) => !fresh.has(key)) : [];
      await storeRecords(place, {
        isAnew: stored === null,
        fresh: [...fresh.values()],
        ages: others.flatMap(({ key, age: before }) => {
          const age = met.has(key) ? 0 : before + 1;
          return age === before ? [] : [{ key, age: age <= ageMax ? age : null }];
        }),
        links: newLinks,
      });
    },
  };
}
