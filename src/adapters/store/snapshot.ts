// Saves the folded run at a journal position: readers fold only later events. A driver never trusts it.
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { rename, rm, writeFile } from 'node:fs/promises';
import { eventVersion } from '#kernel/events/events.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import { createTask } from '#kernel/fold/create-task.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Position, Snapshots } from '#ports/store.ts';
import { readIfThere } from '#adapters/files/files.ts';
import { createRun } from '#kernel/fold/create-run.ts';
import { isRecord } from '#base/record.ts';

export interface Snapshot {
  readonly run: Run;
  readonly position: Position;
}

/** Another version of this program has other fields and cannot use the snapshot. */
const make = [
  eventVersion,
  ...fieldsOf(createRun('', { budget: {} } as RunConfig, 0)),
  ...fieldsOf(createTask({ criteria: [] as Task['criteria'] } as Task, 0)),
].join();

/** The names of all fields, including those of nested records. */
function fieldsOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    name,
    ...(isRecord(inner) ? fieldsOf(inner) : []),
  ]);
}

export function createSnapshots(file: string): Snapshots {
  let writing: Promise<void> = Promise.resolve();
  return {
    save: (run, position) => {
      const body = serialize({ make, run, position });
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(body));
      // Losing one costs a reader some milliseconds, so it is not awaited and failures are not reported.
      writing = writing.then(() => replace(file, Buffer.concat([sum, body]))).catch(() => undefined);
    },
    close: () => writing,
  };
}

/** Null if it is missing, damaged, or of another version. */
export async function readSnapshot(file: string): Promise<Snapshot | null> {
  try {
    const bytes = await readIfThere(file);
    if (bytes === null || bytes.length < 4) return null;
    const body = bytes.subarray(4);
    if (bytes.readUInt32BE(0) !== crc32(body)) return null;
    const found = deserialize(body) as Snapshot & { readonly make: string };
    return found.make === make ? found : null;
  } catch {
    return null;
  }
}

async function replace(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
