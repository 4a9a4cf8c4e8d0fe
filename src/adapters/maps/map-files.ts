// From a listing to what a map knows of each file: from the cache where the text is known, else by reading it.
import { grammarOf } from '#adapters/syntax/grammars.ts';
import type { MapCache } from './cache.ts';
import { extract } from './extract.ts';
import type { Extracted } from './extract-one.ts';
import type { FileRecord } from './file-record.ts';
import { type FileKind, isMadeByName, kindOf } from './kind.ts';
import type { ListedFile, Listing } from './list-files.ts';
import { createSourceReader, type Source } from './read-source.ts';

export interface MappedFile extends FileRecord {
  readonly path: string;
  readonly kind: FileKind;
}

export interface MappedFiles {
  readonly files: readonly MappedFile[];
  /** How many had to be read. */
  readonly read: number;
  /** How many were known. */
  readonly known: number;
}

export interface Reading {
  readonly root: string;
  readonly listing: Listing;
  readonly cache: MapCache;
  /** A text as words to find it by; the cache keeps what it makes of it. */
  readonly readWords: (text: string) => string;
  readonly signal: AbortSignal;
}

const nothing: FileRecord = { chars: 0, signatures: '', signatureChars: 0, imports: [], words: '', note: '' };
const made: FileRecord = { ...nothing, note: 'generated' };

/** Contract: holds the text of a few files at a time, however many there are. */
export async function mapFiles({ root, listing, cache, readWords, signal }: Reading): Promise<MappedFiles> {
  const found = new Map<string, FileRecord>();
  const wanted: ListedFile[] = [];
  const read = createSourceReader(root);
  const kinds = listing.files.map(({ path }) => kindOf(path));
  for (const [at, file] of listing.files.entries()) {
    if (kinds[at] !== 'code') continue;
    const record = isMadeByName(file.path) ? made : recall(file, cache, read);
    if (record === null) wanted.push(file);
    else found.set(file.path, record);
  }
  const known = found.size;
  await extract({ root, wanted, signal }, (one) => take(one, { found, cache, readWords }));
  await cache.save({ isWhole: listing.isWhole });
  return { files: inOrder(listing, kinds, found), read: wanted.length, known };
}

/** A file that git does not know as it is has to be read to know its hash; its text may still be known. */
function recall(
  { path, blob }: ListedFile,
  cache: MapCache,
  read: (path: string) => Source,
): FileRecord | null {
  if (blob !== null) return cache.find(keyOf(blob, path));
  if (cache.isEmpty) return null;
  const source = read(path);
  return source.kind === 'text' ? cache.find(keyOf(source.blobs[0] ?? '', path)) : null;
}

interface Into {
  readonly found: Map<string, FileRecord>;
  readonly cache: MapCache;
  readonly readWords: Reading['readWords'];
}

/** What was read counts under the hash of what was read, whatever git thought a moment ago. */
function take({ path, record, listed, blobs }: Extracted, { found, cache, readWords }: Into): void {
  if (record === null) return;
  const full = { ...record, words: readWords(record.words) };
  found.set(path, full);
  const isAsListed = listed !== null && blobs.includes(listed);
  const blob = isAsListed ? listed : blobs[0];
  if (blob !== undefined) cache.add(keyOf(blob, path), full);
}

/** The same text is something else in another language. */
function keyOf(blob: string, path: string): string {
  return `${blob}.${grammarOf(path) ?? ''}`;
}

function inOrder(
  listing: Listing,
  kinds: readonly FileKind[],
  found: ReadonlyMap<string, FileRecord>,
): MappedFile[] {
  return listing.files.flatMap(({ path }, at) => {
    const kind = kinds[at] ?? 'other';
    const record = found.get(path);
    // Code that is not there any more is no part of the checkout.
    if (kind === 'code' && record === undefined) return [];
    return [fileOf(path, kind, record ?? nothing)];
  });
}

/** What is long stays where it is until somebody asks. */
const asks = {
  get signatures(): string {
    return (this as unknown as Holding).record.signatures;
  },
  get imports(): readonly string[] {
    return (this as unknown as Holding).record.imports;
  },
  get words(): string {
    return (this as unknown as Holding).record.words;
  },
};

interface Holding {
  readonly record: FileRecord;
}

function fileOf(path: string, kind: FileKind, record: FileRecord): MappedFile {
  const { chars, note, signatureChars } = record;
  return Object.setPrototypeOf({ path, kind, chars, note, signatureChars, record }, asks) as MappedFile;
}
