// Records how often each poll of a run ran and its last result, for people and for the next process's count.
import { replaceFile, readSmallJson } from '#adapters/files/files.ts';
import { isRecord } from '#base/record.ts';

/** Far more than the kept records need. */
const bytesMax = 1 << 20;

export interface PollRecord {
  readonly looks: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How the command ended: `exit 1`. */
  readonly ending: string;
  /** Its last line, without secrets. */
  readonly line: string;
}

/** By suspension id and command, joined by a blank. */
export type PollRecords = { readonly [key: string]: PollRecord };

/** The newest records of ended suspensions stay for reading. */
const kept = 20;

/** Contract: never rejects; a damaged or missing file has no records. */
export async function readPollRecords(file: string): Promise<PollRecords> {
  const value = await readSmallJson(file, bytesMax);
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, PollRecord] => isPollRecord(entry[1])));
}

/** Contract: never rejects; a full disk costs a count. */
export async function writePollRecord(file: string, key: string, record: PollRecord): Promise<void> {
  const { [key]: _, ...others } = await readPollRecords(file);
  const entries = [...Object.entries(others).slice(-(kept - 1)), [key, record] as const];
  await replaceFile(file, `${JSON.stringify(Object.fromEntries(entries))}\n`).catch(() => undefined);
}

function isPollRecord(value: unknown): value is PollRecord {
  if (!isRecord(value)) return false;
  const { looks, startedAt, endedAt, ending, line } = value;
  const areNumbers = [looks, startedAt, endedAt].every((number) => Number.isFinite(number));
  return areNumbers && typeof ending === 'string' && typeof line === 'string';
}
