// Writes and reads the receipt of a session: atomically, and trusted only if it is of this step.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Receipt } from '#ports/sessions.ts';
import { parseSessionResult } from './session-result.ts';
import { orElse } from '#base/or-else.ts';
import { parseRecord } from '#base/parse-json.ts';

export function receiptFileOf(folder: string, stepId: string): string {
  return join(folder, `${encodeURIComponent(stepId)}.json`);
}

/** More than most receipts need. */
const reservedBytes = 64 * 1024;

/** Reserves disk space for a receipt: the session may fill the disk. Best effort; `saveReceipt` frees it. */
export function reserveReceipt(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Random, because some file systems store no zeros.
    writeFileSync(reserveOf(file), randomBytes(reservedBytes), { mode: 0o600 });
  } catch {
    // Writing the receipt is tried anyway.
  }
}

export function freeReserve(file: string): void {
  rmSync(reserveOf(file), { force: true });
}

function reserveOf(file: string): string {
  return `${file}.reserve`;
}

/** By atomic rename, file and folder synced; on a full disk, in the reserved space. */
export async function saveReceipt(file: string, receipt: Receipt): Promise<void> {
  try {
    write(file, receipt);
  } catch {
    freeReserve(file);
    write(file, receipt);
  }
  freeReserve(file);
}

function write(file: string, receipt: Receipt): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.tmp`;
  const descriptor = openSync(fresh, 'w', 0o600);
  try {
    writeAll(descriptor, Buffer.from(`${JSON.stringify(receipt)}\n`));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
  syncFolder(dirname(file));
}

export type ReadReceipt = { readonly receipt: Receipt } | { readonly none: string };

export function readReceipt(file: string, stepId: string): ReadReceipt {
  const text = orElse(() => readFileSync(file, 'utf8'), null);
  if (text === null) return { none: 'it left no receipt' };
  const receipt = parseReceipt(text);
  if (receipt === null) return { none: 'its receipt cannot be read' };
  if (receipt.stepId !== stepId) return { none: `its receipt is of another step (${receipt.stepId})` };
  return { receipt };
}

function parseReceipt(text: string): Receipt | null {
  const { stepId, epoch, result } = parseRecord(text) ?? {};
  const parsed = parseSessionResult(result);
  if (typeof stepId !== 'string' || typeof epoch !== 'number' || parsed === null) return null;
  return { stepId, epoch, result: parsed };
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  } catch {
    // Some systems cannot sync a folder; the rename is done anyway.
  }
}
