// Held-out checks on the disk, beside the journal: no view, no mirror and no log has them.
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

/** Null when it is not there; whether it is what was kept is told by its hash. */
export async function readHeldOut(folder: string, id: string): Promise<string | null> {
  return readFile(join(folder, `${id}.json`), 'utf8').catch(() => null);
}
