// A part of a cache: many records side by side in a few long rows, so that reading them all touches only numbers.
import { checksum, padding } from './checksum.ts';
import type { FileRecord, Words } from './file-record.ts';

/** A record as the cache knows it. */
export interface Kept {
  readonly key: string;
  /** What else it can be found by: 20 bytes in hexadecimal, or ''. */
  readonly shortKey: string;
  /** How many maps have not met it. */
  readonly age: number;
  readonly record: FileRecord;
}

export interface Part {
  readonly keys: readonly string[];
  record(at: number): FileRecord;
  kept(at: number): Kept;
  /** Where the record is that has this short key; -1 where none has. */
  findShort(shortKey: string): number;
}

/** The numbers of each record; those named `…End` say where its piece of a row ends. */
const columns = {
  age: 0,
  chars: 1,
  /** Whether anybody has asked for its signatures. */
  isOutlined: 2,
  wordChars: 3,
  wordEnd: 4,
  importEnd: 5,
  signatureEnd: 6,
  importsSum: 7,
};
const width = 8;
const shortBytes = 20;

/** `head` names what wrote it. Contract: a multiple of four bytes, so that the next part begins at one too. */
export function encodePart(head: string, all: readonly Kept[]): Buffer {
  const records = all.map(({ record }) => record);
  const words = Buffer.concat(records.map(({ words: { numbers } }) => bytesOf(numbers)));
  const imports = records.map((record) => Buffer.from(record.imports));
  const signatures = records.map((record) => Buffer.from(record.signatures ?? ''));
  const shorts = all.map(({ shortKey }) => Buffer.from(shortKey.padEnd(2 * shortBytes, '0'), 'hex'));
  const names = Buffer.from(
    all.map(({ key, record }) => `${key}\t${record.note.replaceAll(/\s+/g, ' ')}\n`).join(''),
  );
  const numbers = numbersOf(all, imports, signatures);
  const rows = [bytesOf(numbers), words, ...shorts, names, ...imports, ...signatures];
  const length = rows.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const body = Buffer.alloc(length + padding(length));
  let at = 0;
  for (const row of rows) at += row.copy(body, at);
  const said = `${head} ${all.length} ${names.length} ${body.length}`;
  const line = `${said} ${sealOf(said, body)}`;
  return Buffer.concat([Buffer.from(`${line}${' '.repeat(padding(line.length + 1))}\n`), body]);
}

/** Of what a part says about itself as well: wrong numbers would be read as rows that are not there. */
function sealOf(said: string, body: Buffer): number {
  const line = new Uint8Array(said.length + padding(said.length));
  for (let at = 0; at < said.length; at += 1) line[at] = said.charCodeAt(at);
  return (checksum(line) ^ checksum(body)) >>> 0;
}

function numbersOf(
  all: readonly Kept[],
  imports: readonly Buffer[],
  signatures: readonly Buffer[],
): Int32Array {
  const numbers = new Int32Array(all.length * width);
  const ends = { word: 0, imports: 0, signatures: 0 };
  for (const [at, { age, record }] of all.entries()) {
    ends.word += record.words.numbers.length;
    ends.imports += imports[at]?.length ?? 0;
    ends.signatures += signatures[at]?.length ?? 0;
    const { chars, words } = record;
    const isOutlined = record.signatures === null ? 0 : 1;
    const row = [
      age,
      chars,
      isOutlined,
      words.chars,
      ends.word,
      ends.imports,
      ends.signatures,
      record.importsSum,
    ];
    numbers.set(row, at * width);
  }
  return numbers;
}

export interface DecodedPart {
  readonly part: Part;
  readonly end: number;
}

/** Null where no whole part of ours begins there. Contract: `bytes` begin at a multiple of four of their memory. */
export function decodePart(bytes: Buffer, start: number, head: string): DecodedPart | null {
  const bodyStart = bytes.indexOf(10, start) + 1;
  if (bodyStart === 0 || bodyStart % 4 !== 0) return null;
  const line = bytes.toString('latin1', start, bodyStart - 1);
  if (!line.startsWith(`${head} `)) return null;
  const [count = 0, nameBytes = 0, length = 0, sum = 0] = line
    .slice(head.length + 1)
    .trimEnd()
    .split(' ')
    .map(Number);
  const end = bodyStart + length;
  if (!(end <= bytes.length && length % 4 === 0)) return null;
  const body = bytes.subarray(bodyStart, end);
  const said = `${head} ${count} ${nameBytes} ${length}`;
  return sealOf(said, body) === sum ? { part: openPart(body, count, nameBytes), end } : null;
}

interface Rows {
  readonly body: Buffer;
  readonly numbers: Int32Array;
  readonly words: Uint32Array;
  readonly importStart: number;
  readonly signatureStart: number;
}

/** Contract: the bytes are ours, as their checksum has said. */
function openPart(body: Buffer, count: number, nameBytes: number): Part {
  const { buffer, byteOffset } = body;
  const numbers = new Int32Array(buffer, byteOffset, count * width);
  const last = (count - 1) * width;
  const words = new Uint32Array(buffer, byteOffset + numbers.byteLength, numbers[last + columns.wordEnd]);
  const shortStart = numbers.byteLength + words.byteLength;
  const nameStart = shortStart + count * shortBytes;
  const importStart = nameStart + nameBytes;
  const signatureStart = importStart + (numbers[last + columns.importEnd] ?? 0);
  const rows: Rows = { body, numbers, words, importStart, signatureStart };
  const { keys, notes } = namesIn(body.toString('utf8', nameStart, importStart));
  const shorts = body.subarray(shortStart, nameStart);
  const record = (at: number): FileRecord => lazyRecord(rows, at, notes[at] ?? '');
  return {
    keys,
    record,
    kept: (at) => ({
      key: keys[at] ?? '',
      shortKey: shorts.toString('hex', at * shortBytes, (at + 1) * shortBytes),
      age: numbers[at * width + columns.age] ?? 0,
      record: record(at),
    }),
    findShort: (shortKey) => findRow(shorts, Buffer.from(shortKey, 'hex')),
  };
}

/** A line each: the key, and the note. */
function namesIn(text: string): { readonly keys: string[]; readonly notes: string[] } {
  const keys: string[] = [];
  const notes: string[] = [];
  for (let at = 0; at < text.length;) {
    const tab = text.indexOf('\t', at);
    const end = text.indexOf('\n', tab);
    keys.push(text.slice(at, tab));
    notes.push(end === tab + 1 ? '' : text.slice(tab + 1, end));
    at = end + 1;
  }
  return { keys, notes };
}

function findRow(rows: Buffer, wanted: Buffer): number {
  let at = rows.indexOf(wanted);
  while (at !== -1 && at % shortBytes !== 0) at = rows.indexOf(wanted, at + 1);
  return at === -1 ? -1 : at / shortBytes;
}

interface Unread {
  readonly rows: Rows;
  readonly at: number;
}

/** What is long stays where it is until somebody asks; shared by all, because getters of their own would cost more than reading. */
const reads = {
  get words(): Words {
    const { rows, at } = this as unknown as Unread;
    const chars = rows.numbers[at * width + columns.wordChars] ?? 0;
    return { numbers: rows.words.subarray(before(rows, at, 'wordEnd'), endOf(rows, at, 'wordEnd')), chars };
  },
  get imports(): string {
    const { rows, at } = this as unknown as Unread;
    return textOf(rows, rows.importStart, at, 'importEnd');
  },
  get signatures(): string | null {
    const { rows, at } = this as unknown as Unread;
    if (rows.numbers[at * width + columns.isOutlined] === 0) return null;
    return textOf(rows, rows.signatureStart, at, 'signatureEnd');
  },
};

function lazyRecord(rows: Rows, at: number, note: string): FileRecord {
  const first = at * width;
  const chars = rows.numbers[first + columns.chars] ?? 0;
  const importsSum = rows.numbers[first + columns.importsSum] ?? 0;
  const unread: Unread & object = { __proto__: reads, chars, importsSum, note, rows, at } as Unread;
  return unread as unknown as FileRecord;
}

type End = 'wordEnd' | 'importEnd' | 'signatureEnd';

function endOf({ numbers }: Rows, at: number, column: End): number {
  return numbers[at * width + columns[column]] ?? 0;
}

function before(rows: Rows, at: number, column: End): number {
  return at === 0 ? 0 : endOf(rows, at - 1, column);
}

function textOf(rows: Rows, start: number, at: number, column: End): string {
  return rows.body.toString('utf8', start + before(rows, at, column), start + endOf(rows, at, column));
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
