// Reads a journal from start to end in chunks: checksum, sequence and events of each line.
import { open } from 'node:fs/promises';
import { readEvent, UnreadableEventError } from '#kernel/events/event-schema.ts';
import { type Event, eventVersion } from '#kernel/events/events.ts';
import type { Position } from '#ports/store.ts';
import { OperatorError } from '#base/operator-error.ts';
import { isMissing, readError } from '#adapters/files/io-error.ts';
import { type Entry, jsonOffset, newline, parseEntry, soundCrc } from './line.ts';

/** `torn`: the last line is incomplete; its writer died or still writes. `damaged`: only the mirror helps. */
export type ScanProblem = 'missing' | 'torn' | 'damaged';

export interface Scan {
  /** Events before the first unsound line. */
  readonly events: readonly Event[];
  /** Checksum of each sound line; in a scan from the start, its seq is its index + 1. */
  readonly crcs: readonly number[];
  /** The number of events up to the end of each sound line. */
  readonly ends: readonly number[];
  readonly epoch: number;
  readonly problem: ScanProblem | null;
}

interface Scanner {
  take(bytes: Buffer, start: number, end: number, hasEnd: boolean): void;
  result(): Scan;
}

const chunkBytes = 1 << 20;

export async function scanJournal(file: string, from: Position = { bytes: 0, seq: 0 }): Promise<Scan> {
  const scanner = createScanner(file, from.seq);
  try {
    await eachLine(file, from.bytes, scanner);
  } catch (error) {
    if (isMissing(error)) return { events: [], crcs: [], ends: [], epoch: 0, problem: 'missing' };
    throw readError(error, 'The journal', file);
  }
  const scan = scanner.result();
  // A journal is created with its first line, so an empty one has lost it.
  return scan.crcs.length === 0 && from.bytes === 0 ? { ...scan, problem: 'damaged' } : scan;
}

/** As `scanJournal`, for a journal in memory. */
export function scanBytes(bytes: Buffer, file: string): Scan {
  const scanner = createScanner(file, 0);
  const rest = takeLines(bytes, bytes.length, scanner);
  if (rest < bytes.length) scanner.take(bytes, rest, bytes.length, false);
  return scanner.result();
}

async function eachLine(file: string, from: number, scanner: Scanner): Promise<void> {
  const handle = await open(file, 'r');
  try {
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let kept = 0;
    let at = from;
    for (;;) {
      if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const { bytesRead } = await handle.read(buffer, kept, buffer.length - kept, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const filled = kept + bytesRead;
      const rest = takeLines(buffer, filled, scanner);
      buffer.copyWithin(0, rest, filled);
      kept = filled - rest;
    }
    if (kept > 0) scanner.take(buffer, 0, kept, false);
  } finally {
    await handle.close();
  }
}

/** Passes every whole line on; returns the start of the incomplete one. */
function takeLines(buffer: Buffer, filled: number, scanner: Scanner): number {
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(newline, start);
    if (end === -1 || end >= filled) return start;
    scanner.take(buffer, start, end, true);
    start = end + 1;
  }
}

function createScanner(file: string, seqBefore: number): Scanner {
  const events: Event[] = [];
  const crcs: number[] = [];
  const ends: number[] = [];
  let epoch = 0;
  let problem: ScanProblem | null = null;
  return {
    take: (bytes, start, end, hasEnd) => {
      const crc = problem === null ? soundCrc(bytes, start, end) : -1;
      const entry = crc === -1 ? null : parseEntry(bytes.toString('utf8', start + jsonOffset, end));
      if (entry === null || entry.seq !== seqBefore + crcs.length + 1) {
        problem = hasEnd || problem !== null || entry !== null ? 'damaged' : 'torn';
        return;
      }
      readEvents(entry, events, file);
      crcs.push(crc);
      ends.push(events.length);
      epoch = entry.epoch;
      if (!hasEnd) problem = 'torn';
    },
    result: () => ({ events, crcs, ends, epoch, problem }),
  };
}

function readEvents(entry: Entry, into: Event[], file: string): void {
  try {
    for (const raw of entry.events) into.push(readEvent(raw, entry.v));
  } catch (error) {
    if (!(error instanceof UnreadableEventError)) throw error;
    const isNewer = entry.v > eventVersion;
    throw new OperatorError(
      isNewer ? 'journal-too-new' : 'journal-unreadable',
      `Entry ${entry.seq} of ${file} cannot be read: ${error.message}.`,
      isNewer
        ? 'Use the version of untildone that wrote it, or a later one. Nothing was changed.'
        : 'Report this as a bug of untildone and keep the file. Nothing was changed.',
    );
  }
}
