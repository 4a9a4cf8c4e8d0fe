// From a listing to what a map knows of each file: from the cache where the text is known, else by reading it.
import { grammarOf } from '#adapters/syntax/grammars.ts';
import type { MapCache } from './cache.ts';
import type { Extracted } from './extract-one.ts';
import type { FileRecord, Words } from './file-record.ts';
import { type FileKind, isMadeByName, kindOf } from './kind.ts';
import type { ListedFile, Listing } from './list-files.ts';
import { createSourceReader, type Source } from './read-source.ts';
import { shortKeyOfText } from './short-key.ts';

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
  readonly readWords: (text: string) => Words;
  readonly signal: AbortSignal;
}

const nothing: FileRecord = {
  chars: 0,
  signatures: '',
  signatureChars: 0,
  imports: '',
  words: { numbers: new Uint32Array(), chars: 0 },
  note: '',
};
const made: FileRecord = { ...nothing, note: 'generated' };

/** Contract: holds the text of a few files at a time, however many there are. */
export async function mapFiles({ root, listing, cache, readWords, signal }: Reading): Promise<MappedFiles> {
  const found = new Map<string, FileRecord>();
  const wanted: ListedFile[] = [];
  const read = createSourceReader(root, listing.hash);
  const kinds = listing.files.map(({ path }) => kindOf(path));
  for (const [at, file] of listing.files.entries()) {
    if (kinds[at] !== 'code') continue;
    const record = isMadeByName(file.path) ? made : recall(file, cache, read);
    if (record === null) wanted.push(file);
    else found.set(file.path, record);
  }
  const known = found.size;
  const { unparsed, unread } = lookAtFew(wanted, { found, cache, read });
  if (unparsed.length > 0) {
    // The parser takes longer to load than all else that a map needs.
    const { extract } = await import('./extract.ts');
    const work = { root, hash: listing.hash, wanted: unparsed, signal };
    await extract(work, (one) => take(one, { found, cache, readWords }));
  }
  await cache.save({ isWhole: listing.isWhole });
  return { files: inOrder(listing, kinds, found), read: wanted.length - unread, known: known + unread };
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

/** Above, several processes parse them sooner than one looks at them. */
const fewMax = 200;

interface Looking {
  readonly found: Map<string, FileRecord>;
  readonly cache: MapCache;
  readonly read: (path: string) => Source;
}

interface Looked {
  readonly unparsed: readonly ListedFile[];
  /** Too large, say: a look is enough, so they are not kept. */
  readonly unread: number;
}

/** Most changes are inside of bodies, and leave an outline as it was. */
function lookAtFew(files: readonly ListedFile[], looking: Looking): Looked {
  if (looking.cache.isEmpty || files.length > fewMax) return { unparsed: files, unread: 0 };
  let unread = 0;
  const unparsed = files.filter((file) => {
    const source = looking.read(file.path);
    if (source.kind === 'text') return !hasSameOutline(file, source, looking);
    if (source.kind === 'missing') return false;
    unread += 1;
    looking.found.set(file.path, { ...nothing, chars: source.chars, note: source.why });
    return false;
  });
  return { unparsed, unread };
}

function hasSameOutline(
  { path, blob }: ListedFile,
  { text, blobs }: Extract<Source, { kind: 'text' }>,
  { found, cache }: Looking,
): boolean {
  const shortKey = shortKeyOfText(path, text);
  const like = shortKey === null ? null : cache.findShort(shortKey);
  if (shortKey === null || like === null) return false;
  const { signatures, signatureChars, imports, words, note } = like;
  const record = { chars: text.length, signatures, signatureChars, imports, words, note };
  found.set(path, record);
  cache.add(keyOf(nameOf(blob, blobs), path), shortKey, record);
  return true;
}

interface Into {
  readonly found: Map<string, FileRecord>;
  readonly cache: MapCache;
  readonly readWords: Reading['readWords'];
}

function take({ path, record, listed, blobs }: Extracted, { found, cache, readWords }: Into): void {
  if (record === null) return;
  const { chars, signatures, signatureChars, imports, note, wordText, shortKey } = record;
  const full = { chars, signatures, signatureChars, imports, note, words: readWords(wordText) };
  found.set(path, full);
  if (blobs.length > 0) cache.add(keyOf(nameOf(listed, blobs), path), shortKey, full);
}

/** What was read counts under the hash of what was read, whatever git thought a moment ago. */
function nameOf(listed: string | null, blobs: readonly string[]): string {
  return listed !== null && blobs.includes(listed) ? listed : (blobs[0] ?? '');
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
  get imports(): string {
    return (this as unknown as Holding).record.imports;
  },
  get words(): Words {
    return (this as unknown as Holding).record.words;
  },
};

interface Holding {
  readonly record: FileRecord;
}

function fileOf(path: string, kind: FileKind, record: FileRecord): MappedFile {
  const { chars, note, signatureChars } = record;
  return { __proto__: asks, path, kind, chars, note, signatureChars, record } as unknown as MappedFile;
}
