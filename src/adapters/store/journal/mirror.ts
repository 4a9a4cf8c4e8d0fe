// The copy of a journal in the git common dir, which an agent may write: each line is sealed with a key that
// only the authority has. Line: `<hmac-sha256, 64 hex digits> <json>`.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { appendOnly, createOnce, makeFolder, readIfThere, replaceFile } from '#adapters/files/files.ts';
import { writeError } from '#adapters/files/io-error.ts';
import { newline } from './line.ts';

export interface Seal {
  /** The line for the JSON of one journal entry. */
  seal(json: Buffer): Buffer;
  /** The JSON if we wrote the line, else null. */
  unseal(line: Buffer): Buffer | null;
}

export interface MirrorReading {
  /** JSON of each line of ours, by seq. */
  readonly lines: ReadonlyMap<number, Buffer>;
  /** The highest seq of these, 0 for none. */
  readonly lastSeq: number;
  /** Number of whole lines that are not ours: damaged or forged. Never used. */
  readonly strangers: number;
  /** How many of them follow our last line. */
  readonly strangersAtEnd: number;
  /** The lines are 1..n in order and the file has nothing else. */
  readonly isClean: boolean;
}

/** Writes after the journal: an append never waits for it. */
export interface MirrorWriter {
  push(json: Buffer): void;
  /** Resolves when everything pushed so far is written or has failed; never rejects. */
  close(): Promise<void>;
}

const macDigits = 64;
const noMirror: MirrorReading = {
  lines: new Map(),
  lastSeq: 0,
  strangers: 0,
  strangersAtEnd: 0,
  isClean: false,
};

/** Bound to the run: a line of one run is invalid in another. */
export function createSeal(key: Buffer, runId: string): Seal {
  // A key object and a single update are five times as fast as raw bytes; every open checks all lines.
  const runKey = createSecretKey(createHmac('sha256', key).update(runId).digest());
  const mac = (json: Buffer) => createHmac('sha256', runKey).update(json).digest('hex');
  return {
    seal: (json) => Buffer.concat([Buffer.from(`${mac(json)} `, 'latin1'), json, Buffer.of(newline)]),
    unseal: (line) => {
      if (line[macDigits] !== 0x20) return null;
      const json = line.subarray(macDigits + 1);
      return mac(json) === line.toString('latin1', 0, macDigits) ? json : null;
    },
  };
}

/** Null if there is no key: then no mirror can be trusted. */
export async function readMirrorKey(file: string): Promise<Buffer | null> {
  const content = await readIfThere(file);
  const text = content?.toString('latin1').trim() ?? '';
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : null;
}

export async function ensureMirrorKey(file: string): Promise<Buffer> {
  const known = await readMirrorKey(file);
  if (known !== null) return known;
  const made = `${randomBytes(32).toString('hex')}\n`;
  try {
    await makeFolder(dirname(file));
    const isFirst = await createOnce(file, made, 0o600);
    if (!isFirst && (await readMirrorKey(file)) === null) await replaceFile(file, made);
  } catch (error) {
    throw writeError(error, 'The key of the mirrors', file);
  }
  return ensureMirrorKey(file);
}

export async function readMirror(file: string, seal: Seal | null): Promise<MirrorReading> {
  const bytes = seal === null ? null : await readIfThere(file);
  return bytes === null || seal === null ? noMirror : unsealLines(bytes, seal);
}

/** The end of the mirror: `seq` is 0 without a mirror. An incomplete last line may still be being written. */
export type MirrorEnd = { readonly seq: number } | 'not ours';

/** Reads only the last whole line, because every reader of a run needs it. */
export async function readMirrorEnd(file: string, seal: Seal | null): Promise<MirrorEnd> {
  const line = await lastLine(file);
  if (line === null) return { seq: 0 };
  const json = seal?.unseal(line) ?? null;
  const seq = json === null ? 0 : seqOf(json);
  return seq === 0 ? 'not ours' : { seq };
}

/** Null when there is no whole line. */
async function lastLine(file: string): Promise<Buffer | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    for (let length = 1 << 16; ; length *= 4) {
      const from = Math.max(0, size - length);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
      const tail = buffer.subarray(0, bytesRead);
      const end = tail.lastIndexOf(newline);
      const before = end <= 0 ? -1 : tail.lastIndexOf(newline, end - 1);
      if (end !== -1 && (before !== -1 || from === 0)) return tail.subarray(before + 1, end);
      if (from === 0) return null;
    }
  } finally {
    await handle.close();
  }
}

export function unsealLines(bytes: Buffer, seal: Seal): MirrorReading {
  const lines = new Map<number, Buffer>();
  let [start, lastSeq, strangers, strangersAtEnd, isInOrder] = [0, 0, 0, 0, true];
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    const json = seal.unseal(bytes.subarray(start, end));
    const seq = json === null ? 0 : seqOf(json);
    if (json === null || seq === 0) {
      strangers += 1;
      strangersAtEnd += 1;
    } else {
      strangersAtEnd = 0;
      isInOrder &&= seq === lines.size + 1;
      lines.set(seq, json);
      lastSeq = Math.max(lastSeq, seq);
    }
    start = end + 1;
  }
  return {
    lines,
    lastSeq,
    strangers,
    strangersAtEnd,
    isClean: isInOrder && strangers === 0 && start === bytes.length,
  };
}

/** We wrote every sealed line, so its start identifies it; 0 if it is no entry. */
function seqOf(json: Buffer): number {
  return Number(/^\{"v":\d+,"seq":(\d+),/.exec(json.toString('latin1', 0, 64))?.[1] ?? 0);
}

/** The first entry in which an authentic mirror line and the journal differ; null if there is none. */
export function firstDisagreement(crcs: readonly number[], mirror: MirrorReading): number | null {
  for (const [seq, json] of mirror.lines) {
    const crc = crcs[seq - 1];
    if (crc !== undefined && crc !== crc32(json)) return seq;
  }
  return null;
}

/** Brings the mirror up to date with the journal's lines (JSON, in order) and opens it for more. */
export async function openMirror(order: {
  readonly file: string;
  readonly seal: Seal;
  readonly reading: MirrorReading;
  /** How many lines the journal has. */
  readonly count: number;
  readonly readLines: () => Promise<readonly Buffer[]>;
  readonly onTrouble: (error: unknown) => void;
}): Promise<MirrorWriter> {
  const { file, seal, reading } = order;
  await makeFolder(dirname(file), 0o777);
  const isBehind = reading.lines.size < order.count;
  const missing = isBehind || !reading.isClean ? await order.readLines() : [];
  if (!reading.isClean) await replaceFile(file, Buffer.concat(missing.map((json) => seal.seal(json))));
  const handle = await open(file, appendOnly, 0o600);
  if (reading.isClean && isBehind) {
    await handle.appendFile(Buffer.concat(missing.slice(reading.lines.size).map((json) => seal.seal(json))));
  }
  return writeBehind(
    (bytes) => handle.appendFile(bytes),
    () => handle.close(),
    order,
  );
}

function writeBehind(
  write: (bytes: Buffer) => Promise<void>,
  end: () => Promise<void>,
  { seal, onTrouble }: { readonly seal: Seal; readonly onTrouble: (error: unknown) => void },
): MirrorWriter {
  let waiting: Buffer[] = [];
  let writing: Promise<void> | null = null;
  let isBroken = false;
  const drain = async () => {
    while (waiting.length > 0 && !isBroken) {
      const batch = waiting;
      waiting = [];
      try {
        await write(Buffer.concat(batch.map((json) => seal.seal(json))));
      } catch (error) {
        isBroken = true;
        onTrouble(error);
      }
    }
    writing = null;
  };
  return {
    push: (json) => {
      if (isBroken) return;
      waiting.push(json);
      writing ??= drain();
    },
    close: async () => {
      await writing;
      await end().catch(() => undefined);
    },
  };
}
