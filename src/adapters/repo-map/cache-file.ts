// The SQLite file of the map cache. Each row has a checksum, so that neither a flipped bit nor an interrupted
// write can affect a map. So SQLite need not protect the file, and there is no journal.
import { appendFile, rm, stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { FileRecord } from '#analysis/repo-map/file-record.ts';
import { makeFolder } from '#adapters/files/files.ts';

export interface Kept {
  readonly key: string;
  /** A second key, or ''. */
  readonly shortKey: string;
  /** The number of whole maps that did not use it. */
  readonly age: number;
  readonly record: FileRecord;
}

/** Indexes into a list of files: the targets of the first file up to its end, of the second, and so on. */
export interface FileLinks {
  readonly targets: Int32Array;
  readonly ends: Int32Array;
}

export interface Stored {
  readonly records: ReadonlyMap<string, Kept>;
  readonly links: (FileLinks & { readonly key: string }) | null;
}

interface CachePlace {
  readonly folder: string;
  readonly file: string;
  /** The program version and format that wrote it. */
  readonly head: string;
}

// Beyond this, reading the cache takes longer than it saves.
const bytesMax = 256 * 1024 * 1024;
/** Wait for another map that writes at the same time. */
const busyMsMax = 2_000;

const tables = `
  CREATE TABLE IF NOT EXISTS head (head TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS links (key TEXT, ends BLOB, targets BLOB, seal INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS records (
    key TEXT PRIMARY KEY, shortKey TEXT, age INTEGER, chars INTEGER, note TEXT, imports TEXT, importsSum INTEGER,
    wordChars INTEGER, words BLOB, signatures TEXT, seal INTEGER
  ) STRICT`;

/** Null if there is no usable cache. */
export async function loadRecords({ file, head }: CachePlace): Promise<Stored | null> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0 || size > bytesMax) return null;
  let database: DatabaseSync | null = null;
  try {
    database = await openFile(file, true);
    if (database.prepare('SELECT head FROM head').get()?.['head'] !== head) return null;
    const rows = database.prepare('SELECT * FROM records ORDER BY rowid').all() as unknown as RecordRow[];
    const links = database.prepare('SELECT * FROM links').get() as unknown as LinksRow | undefined;
    return {
      records: new Map(rows.map((row) => [row.key, keptOf(row)])),
      links: links === undefined ? null : linksOf(links),
    };
  } catch {
    return null;
  } finally {
    database?.close();
  }
}

interface Changes {
  /** Delete the old file first. */
  readonly isAnew: boolean;
  readonly fresh: readonly Kept[];
  /** Null deletes the record. */
  readonly ages: readonly { readonly key: string; readonly age: number | null }[];
  readonly links: Stored['links'];
}

/** Contract: never rejects; a full or read-only disk must not prevent a map. */
export async function storeRecords(place: CachePlace, changes: Changes): Promise<void> {
  let database: DatabaseSync | null = null;
  try {
    await makeFolder(place.folder);
    if (changes.isAnew) await rm(place.file, { force: true });
    await appendFile(place.file, '', { mode: 0o600 });
    database = await openFile(place.file, false);
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN IMMEDIATE; ${tables}`);
    writeChanges(database, place.head, changes);
    database.exec('COMMIT');
  } catch {
    // Otherwise the cause would break all later writes.
    await rm(place.file, { force: true }).catch(() => undefined);
  } finally {
    database?.close();
  }
}

async function openFile(file: string, readOnly: boolean): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  return new DatabaseSync(file, { readOnly, timeout: busyMsMax });
}

function writeChanges(database: DatabaseSync, head: string, { fresh, ages, links }: Changes): void {
  database.prepare('INSERT OR IGNORE INTO head VALUES (?)').run(head);
  // Another version may have recreated it meanwhile.
  if (database.prepare('SELECT count(*) AS heads FROM head').get()?.['heads'] !== 1)
    throw new Error('not ours');
  const insert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const kept of fresh) insert.run(...rowOf(kept));
  const age = database.prepare('UPDATE records SET age = ? WHERE key = ?');
  const forget = database.prepare('DELETE FROM records WHERE key = ?');
  for (const one of ages) {
    if (one.age === null) forget.run(one.key);
    else age.run(one.age, one.key);
  }
  if (links === null) return;
  const { key, ends, targets } = links;
  database.exec('DELETE FROM links');
  database
    .prepare('INSERT INTO links VALUES (?, ?, ?, ?)')
    .run(key, bytesOf(ends), bytesOf(targets), sealOf([key], ends, targets));
}

type Cell = string | number | null | Uint8Array;

interface RecordRow extends Omit<FileRecord, 'words'>, Omit<Kept, 'record'> {
  readonly wordChars: number;
  readonly words: Uint8Array;
  readonly seal: number;
}

function rowOf({ key, shortKey, age, record }: Kept): Cell[] {
  const { chars, note, imports, importsSum, words, signatures } = record;
  const start = [key, shortKey, age, chars, note, imports, importsSum, words.chars];
  return [...start, bytesOf(words.numbers), signatures, sealOfRecord(key, shortKey, record)];
}

function keptOf(row: RecordRow): Kept {
  const { key, shortKey, age, chars, note, imports, importsSum, signatures } = row;
  const { buffer, byteOffset, byteLength } = row.words;
  const words = { numbers: new Uint32Array(buffer, byteOffset, byteLength / 4), chars: row.wordChars };
  const record = { chars, note, imports, importsSum, words, signatures };
  if (sealOfRecord(key, shortKey, record) !== row.seal) throw new Error('damaged');
  return { key, shortKey, age, record };
}

interface LinksRow {
  readonly key: string;
  readonly ends: Uint8Array;
  readonly targets: Uint8Array;
  readonly seal: number;
}

function linksOf({ key, seal, ...row }: LinksRow): Stored['links'] {
  const [ends, targets] = [row.ends, row.targets].map(
    ({ buffer, byteOffset, byteLength }) => new Int32Array(buffer, byteOffset, byteLength / 4),
  );
  if (ends === undefined || targets === undefined || sealOf([key], ends, targets) !== seal)
    throw new Error('damaged');
  return { key, ends, targets };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Without the age: a wrong age is harmless. */
function sealOfRecord(key: string, shortKey: string, record: FileRecord): number {
  const { chars, note, imports, importsSum, words, signatures } = record;
  return sealOf([key, shortKey, chars, note, imports, importsSum, words.chars, signatures], words.numbers);
}

/** Our own, because Node's checksums take longer to load than this takes to run. */
function sealOf(
  fields: readonly (string | number | null)[],
  ...rows: readonly (Int32Array | Uint32Array)[]
): number {
  let sum = 0;
  const add = (value: number): void => {
    sum = Math.imul(((sum << 5) | (sum >>> 27)) ^ value, 0x9e37_79b1);
  };
  const text = JSON.stringify(fields);
  for (let at = 0; at < text.length; at += 1) add(text.charCodeAt(at));
  for (const row of rows) {
    add(row.length);
    for (let at = 0; at < row.length; at += 1) add(row[at] ?? 0);
  }
  return sum;
}
