// Stores held-out checks on disk, beside the journal: no view, mirror or log contains them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface KeptHeldOut {
  readonly id: string;
  readonly text: string;
}

export async function writeHeldOut(folder: string, records: readonly KeptHeldOut[]): Promise<void> {
  if (records.length === 0) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { id, text } of records) await writeFile(join(folder, `${id}.json`), text, { mode: 0o600 });
}

/** Null if it is missing; its hash shows whether it was changed. */
export async function readHeldOut(folder: string, id: string): Promise<string | null> {
  return readFile(join(folder, `${id}.json`), 'utf8').catch(() => null);
}
