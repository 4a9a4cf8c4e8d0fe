// Records how often each poll of a run ran and its last result, for people and for the next process's count.
import { replaceFile, readSmallJson } from '#adapters/files/files.ts';
import { isRecord } from '#base/record.ts';

/** Far more than the kept records need. */
const bytesMax = 1 << 20;

export interface KnownLook {
  readonly looks: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How the command ended: `exit 1`. */
  readonly ending: string;
  /** Its last line, without secrets. */
  readonly line: string;
}

/** By suspension id and command, joined by a blank. */
export type KnownLooks = { readonly [key: string]: KnownLook };

/** The newest records of ended suspensions stay for reading. */
const kept = 20;

/** Contract: never rejects; a damaged or missing file has no records. */
export async function readLooks(file: string): Promise<KnownLooks> {
  const value = await readSmallJson(file, bytesMax);
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, KnownLook] => isLook(entry[1])));
}

/** Contract: never rejects; a full disk costs a count. */
export async function writeLook(file: string, key: string, look: KnownLook): Promise<void> {
  const { [key]: _, ...others } = await readLooks(file);
  const entries = [...Object.entries(others).slice(-(kept - 1)), [key, look] as const];
  await replaceFile(file, `${JSON.stringify(Object.fromEntries(entries))}\n`).catch(() => undefined);
}

function isLook(value: unknown): value is KnownLook {
  if (!isRecord(value)) return false;
  const { looks, startedAt, endedAt, ending, line } = value;
  const areNumbers = [looks, startedAt, endedAt].every((number) => Number.isFinite(number));
  return areNumbers && typeof ending === 'string' && typeof line === 'string';
}
