// Turns a listing into the data of a map, from the cache if the text is known, else by reading the file.
// The words of every file are read; only files whose signatures are shown are parsed.
import { grammarOf } from '#analysis/repo-map/grammar-names.ts';
import type { MapCache } from './cache.ts';
import { type FileRecord, noteOnly } from '#analysis/repo-map/file-record.ts';
import { type FileKind, isMadeByName, kindOf } from '#analysis/repo-map/kind.ts';
import type { ListedFile, Listing } from './list-files.ts';
import { createSourceReader, type Source } from './read-source.ts';
import type { Readers, ReadResult } from './readers.ts';

export interface MappedFile extends Omit<FileRecord, 'signatures'> {
  readonly path: string;
  readonly kind: FileKind;
}

export interface MappedFiles {
  readonly files: readonly MappedFile[];
  readonly counts: MapCounts;
  /** Signatures of the files at these indexes, read on demand; files that were not parsed may get a note. */
  readonly signaturesOf: (places: readonly number[]) => Promise<readonly string[]>;
  /** Saves the results in the cache. */
  readonly save: () => Promise<void>;
}

export interface MapCounts {
  /** Files that had to be read. */
  read: number;
  known: number;
  /** How many of all these were parsed so far. */
  parsed: number;
}

export interface Mapping {
  readonly root: string;
  readonly listing: Listing;
  readonly cache: MapCache;
  readonly readers: Readers;
}

/** Contract: holds the text of only a few files at a time. */
export async function mapFiles({ root, listing: listed, cache, readers }: Mapping): Promise<MappedFiles> {
  const known = new Map<string, Known>();
  const wanted: ListedFile[] = [];
  const read = createSourceReader(root, listed.hash);
  const listing = {
    ...listed,
    files: listed.files.filter(({ path, isSkipped }) => isSkipped !== true || read(path).kind !== 'missing'),
  };
  const kinds = listing.files.map(({ path }) => kindOf(path));
  for (const [at, file] of listing.files.entries()) {
    if (kinds[at] !== 'code') continue;
    const found = isMadeByName(file.path) ? made : recall(file, cache, read);
    if (found === null) wanted.push(file);
    else known.set(file.path, found);
  }
  const counts = { read: 0, known: known.size, parsed: 0 };
  await readers.ask('words', wanted, (one) => {
    // Not read, for example because it is too large.
    if (one.blobs.length === 0) counts.known += 1;
    else counts.read += 1;
    const found = take(one, cache);
    if (found !== null) known.set(one.path, found);
  });
  const files = inOrder(listing, kinds, known);
  return {
    files,
    counts,
    signaturesOf: (places) => signaturesOf(places, { files, counts, cache, readers }),
    save: () => cache.save({ isWhole: listing.isWhole }),
  };
}

/** The data of a file and its cache key; '' if it is not cached. */
interface Known {
  readonly record: FileRecord;
  readonly key: string;
}

const made: Known = { record: noteOnly(0, 'generated'), key: '' };
const nothing: Known = { record: noteOnly(0, ''), key: '' };

/** A changed file must be read for its hash; its text may still be in the cache. */
function recall({ path, blob }: ListedFile, cache: MapCache, read: (path: string) => Source): Known | null {
  if (cache.isEmpty) return null;
  const key = keyOf(blob ?? hashOf(read(path)), path);
  const record = cache.find(key);
  return record === null ? null : { record, key };
}

function hashOf(source: Source): string {
  return source.kind === 'text' ? (source.blobs[0] ?? '') : '';
}

function take({ path, found, listed, blobs }: ReadResult<'words'>, cache: MapCache): Known | null {
  if (found === null) return null;
  // Not cached: it is cheap to find again.
  if (blobs.length === 0) return { record: found.record, key: '' };
  const key = keyOf(nameOf(listed, blobs), path);
  const like = found.shortKey === '' ? null : cache.findShort(found.shortKey);
  // Most changes are inside bodies and do not change the outline.
  const record =
    like === null ? found.record : { ...found.record, note: like.note, signatures: like.signatures };
  cache.add(key, found.shortKey, record);
  return { record, key };
}

/** Cached under the hash of the bytes read, whatever git listed before. */
function nameOf(listed: string | null, blobs: readonly string[]): string {
  return listed !== null && blobs.includes(listed) ? listed : (blobs[0] ?? '');
}

/** The same text has another meaning in another language. */
function keyOf(blob: string, path: string): string {
  return `${blob}.${grammarOf(path) ?? ''}`;
}

/** A file as callers see it, around its record. */
interface Holding extends MappedFile {
  readonly listed: ListedFile;
  readonly key: string;
  record: FileRecord;
}

function inOrder(
  listing: Listing,
  kinds: readonly FileKind[],
  known: ReadonlyMap<string, Known>,
): readonly Holding[] {
  return listing.files.flatMap((listed, at) => {
    const kind = kinds[at] ?? 'other';
    const found = known.get(listed.path);
    // Deleted code is no part of the checkout.
    if (kind === 'code' && found === undefined) return [];
    return [holding(listed, kind, found ?? nothing)];
  });
}

/** Long values stay in the record until they are read. */
const asks = {
  get chars(): number {
    return (this as unknown as Holding).record.chars;
  },
  get note(): string {
    return (this as unknown as Holding).record.note;
  },
  get imports(): string {
    return (this as unknown as Holding).record.imports;
  },
  get importsSum(): number {
    return (this as unknown as Holding).record.importsSum;
  },
  get words(): FileRecord['words'] {
    return (this as unknown as Holding).record.words;
  },
};

function holding(listed: ListedFile, kind: FileKind, { record, key }: Known): Holding {
  return { __proto__: asks, path: listed.path, kind, listed, key, record } as unknown as Holding;
}

interface Asked extends Pick<Mapping, 'cache' | 'readers'> {
  readonly files: readonly Holding[];
  readonly counts: MapCounts;
}

async function signaturesOf(
  places: readonly number[],
  { files, counts, cache, readers }: Asked,
): Promise<readonly string[]> {
  const asked = places.flatMap((at) => files[at] ?? []);
  const unknown = new Map(
    asked.flatMap((file) => (file.record.signatures === null ? [[file.path, file]] : [])),
  );
  counts.parsed += unknown.size;
  const wanted = [...unknown.values()].map(({ listed }) => listed);
  await readers.ask('outline', wanted, ({ path, found, listed, blobs }) => {
    const file = unknown.get(path);
    if (file === undefined) return;
    const { signatures, note, isShort } = found ?? { signatures: '', note: '', isShort: false };
    file.record = { ...file.record, note, signatures };
    // The file may have changed since its words were read: then this outline is of another text.
    if (keyOf(nameOf(listed, blobs), path) === file.key)
      cache.addOutline(file.key, { signatures, note, isShort });
  });
  return asked.map(({ record }) => record.signatures ?? '');
}
