// Reads and edits the file times, owners and sizes in a git index. Git reads a file again when they differ.
// Pure.
import { createHash } from 'node:crypto';

const second = 1_000_000_000n;
const sizeOffset = 36;

export interface IndexEntry {
  readonly path: string;
  /** Where the entry begins in the file. */
  readonly at: number;
}

export interface Index {
  readonly entries: readonly IndexEntry[];
  /** Other entries are in another file, or an entry stands for a folder. */
  readonly isPartial: boolean;
}

/** Entries of an index file, version 2 to 4; null for other data. `hashBytes`: SHA-1 20, SHA-256 32. */
export function readEntries(index: Buffer, hashBytes: number): readonly IndexEntry[] | null {
  return readIndex(index, hashBytes)?.entries ?? null;
}

export function readIndex(index: Buffer, hashBytes: number): Index | null {
  const entries: IndexEntry[] = [];
  const rest = walkIndex(index, hashBytes, (at, name) => entries.push({ path: name.toString('utf8'), at }));
  return rest === null ? null : { entries, ...rest };
}

/** Calls `visit` with each entry. Contract: the bytes of `name` are only valid during the call. */
export function walkIndex(
  index: Buffer,
  hashBytes: number,
  visit: (at: number, name: Buffer) => void,
): Pick<Index, 'isPartial'> | null {
  if (index.length < 12 + hashBytes || index.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  const end = index.length - hashBytes;
  if (version < 2 || version > 4) return null;
  let at = 12;
  let name: Buffer = Buffer.alloc(0);
  for (let number = 0; number < count; number += 1) {
    const flagsAt = at + 40 + hashBytes;
    if (flagsAt + 4 > end) return null;
    const isExtended = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
    const from = flagsAt + (isExtended ? 4 : 2);
    const prefix = version === 4 ? readPrefix(index, from, name) : null;
    const start = prefix?.next ?? from;
    const nameEnd = index.indexOf(0, start);
    if (nameEnd < 0 || nameEnd >= end) return null;
    const own = index.subarray(start, nameEnd);
    name = prefix === null ? own : Buffer.concat([prefix.shared, own]);
    visit(at, name);
    // Before version 4, zeros fill an entry up to a multiple of eight bytes.
    at = version === 4 ? nameEnd + 1 : at + ((nameEnd - at + 8) & ~7);
  }
  return { isPartial: hasNeededExtension(index.subarray(at, end)) };
}

/** A reader may skip an extension only if its name begins with a capital letter. */
function hasNeededExtension(extensions: Buffer): boolean {
  for (let at = 0; at + 8 <= extensions.length; at += 8 + extensions.readUInt32BE(at + 4)) {
    const first = extensions[at] ?? 0;
    if (first < 0x41 || first > 0x5a) return true;
  }
  return false;
}

/** Version 4 stores how many bytes to drop from the name before, as a variable-length number of packs. */
function readPrefix(index: Buffer, from: number, before: Buffer): { shared: Buffer; next: number } {
  let next = from;
  let byte = index[next] ?? 0;
  let taken = byte & 0x7f;
  while ((byte & 0x80) !== 0 && next < index.length) {
    next += 1;
    byte = index[next] ?? 0;
    taken = (taken + 1) * 128 + (byte & 0x7f);
  }
  return { shared: before.subarray(0, Math.max(0, before.length - taken)), next: next + 1 };
}

/** Git treats a file as unchanged when these match. */
export interface FileStat {
  readonly ctimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly size: bigint;
}

export function isAsIndexed(index: Buffer, { at }: IndexEntry, stat: FileStat): boolean {
  return fieldsOf(stat).every(([offset, value]) => index.readUInt32BE(at + offset) === value);
}

export interface IndexChange {
  /** Get their present times. Contract: each file was as indexed until its times changed. */
  readonly untouched: Iterable<readonly [IndexEntry, FileStat]>;
  /**
   * A size of 0 makes git compare the content, as git does for files as new as its index. Otherwise git
   * misses a change that keeps size and times: most builds compare times by the second.
   */
  readonly touched: Iterable<IndexEntry>;
}

/** Returns a changed copy of the index. */
export function withStats(index: Buffer, { untouched, touched }: IndexChange, hashBytes: number): Buffer {
  const copy = Buffer.from(index);
  for (const [{ at }, stat] of untouched)
    for (const [offset, value] of fieldsOf(stat)) copy.writeUInt32BE(value, at + offset);
  for (const { at } of touched) copy.writeUInt32BE(0, at + sizeOffset);
  const sum = copy.subarray(-hashBytes);
  // With `index.skipHash` git writes zeros and expects zeros.
  if (sum.some((byte) => byte !== 0))
    createHash(hashBytes === 20 ? 'sha1' : 'sha256')
      .update(copy.subarray(0, -hashBytes))
      .digest()
      .copy(sum);
  return copy;
}

function fieldsOf(stat: FileStat): (readonly [offset: number, value: number])[] {
  return [
    [0, low(stat.ctimeNs / second)],
    [4, low(stat.ctimeNs % second)],
    [8, low(stat.mtimeNs / second)],
    [12, low(stat.mtimeNs % second)],
    [20, low(stat.ino)],
    [28, low(stat.uid)],
    [32, low(stat.gid)],
    [sizeOffset, low(stat.size)],
  ];
}

function low(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}
