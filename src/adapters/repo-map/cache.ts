// What earlier maps found, by the hash of each text, and which file uses which: one SQLite file.
// Contract: a cache that cannot be used for any reason is an empty one; losing it costs time and nothing else.
import { join } from 'node:path';
import type { FileRecord } from '#analysis/repo-map/file-record.ts';
import { type FileLinks, type Kept, loadRecords, type Stored, storeRecords } from './cache-file.ts';

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
  /** As the last map that kept them found them; null where `key`, which names all that they depend on, is another. */
  findLinks(key: string): FileLinks | null;
  addLinks(key: string, links: FileLinks): void;
  /** Whole maps make what they did not meet grow old; parts say nothing about the rest. */
  save(options: { readonly isWhole: boolean }): Promise<void>;
}

/** Change it with everything that a record or a link depends on: what is shown, how words are read, how imports are resolved. */
const format = 'untildone-map 7';
/** A branch that was left comes back within a few maps, or not soon. */
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
