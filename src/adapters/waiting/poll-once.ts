// Runs a poll command once with a time limit and ends everything it started. Exit 0 meets the condition.
import { takeLock } from '#adapters/files/lock.ts';
import { describeProcessEnding, type ProcessEnding } from '#kernel/model/ending.ts';
import type { PollCondition } from '#kernel/waiting/condition.ts';
import type { Processes } from '#ports/processes.ts';
import type { Redactor } from '#ports/redactor.ts';
import type { PollResult } from './watched-polls.ts';
import { readPollRecords, writePollRecord } from './poll-records.ts';
import { endOrAbort } from '#adapters/processes/end-or-abort.ts';

export interface PollPlace {
  readonly runId: string;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  readonly processes: Processes;
  readonly redactor: Redactor;
  /** Held during each poll, so that two processes never poll at once. */
  readonly lockFile: string;
  readonly recordFile: string;
}

const graceMs = 2_000;
const tailBytes = 4_096;
const lineMax = 300;

/** Polls of this process, by lock: each begins when the one before has ended. */
const turns = new Map<string, Promise<unknown>>();

/** Contract: never rejects. Null if another process is polling. Polls of one process take turns. */
export async function pollOnce(
  place: PollPlace,
  suspensionId: string,
  condition: PollCondition,
  signal: AbortSignal,
): Promise<PollResult | null> {
  const { lockFile } = place;
  const before = turns.get(lockFile) ?? Promise.resolve();
  const poll = (): Promise<PollResult> => pollLocked(place, suspensionId, condition, signal);
  const turn = before.then(() => underLock(lockFile, poll));
  turns.set(lockFile, turn);
  const result = await turn;
  if (turns.get(lockFile) === turn) turns.delete(lockFile);
  return result;
}

/** Null if another process holds the lock. If there can be no lock (a read-only disk), polls without it. */
async function underLock<T>(lockFile: string, act: () => Promise<T>): Promise<T | null> {
  const lock = await takeLock(lockFile).catch((): 'broken' => 'broken');
  if (lock === null) return null;
  try {
    return await act();
  } finally {
    if (lock !== 'broken') lock.release();
  }
}

async function pollLocked(
  place: PollPlace,
  suspensionId: string,
  condition: PollCondition,
  signal: AbortSignal,
): Promise<PollResult> {
  const key = `${suspensionId} ${condition.command}`;
  const before = (await readPollRecords(place.recordFile))[key];
  const startedAt = Date.now();
  const { ending, line } = await runCommand(place, condition, signal);
  const looks = (before?.looks ?? 0) + 1;
  const words = describeProcessEnding(ending);
  await writePollRecord(place.recordFile, key, {
    looks,
    startedAt,
    endedAt: Date.now(),
    ending: words,
    line,
  });
  const isMet = ending.kind === 'exited' && ending.code === 0;
  return { isMet, looks, words: line === '' ? words : `${words}: ${line}` };
}

async function runCommand(
  { runId, cwd, env, processes, redactor }: PollPlace,
  { command, timeoutMs }: PollCondition,
  signal: AbortSignal,
): Promise<{ readonly ending: ProcessEnding; readonly line: string }> {
  const mark = `${runId}/poll`;
  // Ends processes that the poll of a killed process left behind.
  await processes.sweep(mark).catch(() => []);
  let tail: Buffer = Buffer.alloc(0);
  const running = processes.start({
    command,
    cwd,
    env,
    mark,
    wallMs: timeoutMs,
    idleMs: null,
    graceMs,
    input: null,
    onOutput: (chunk) => {
      tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
    },
  });
  const ending = await endOrAbort(running, signal, 'the polling process is leaving');
  return { ending, line: lastLine(redactor.redact(tail.toString())) };
}

function lastLine(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map(printable);
  return (lines.findLast((line) => line !== '') ?? '').slice(0, lineMax);
}

/** A poll command must not control the terminal that shows its line. */
function printable(line: string): string {
  return line
    .replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g'), '')
    .replaceAll(/[^\P{C}\t]/gu, '')
    .trim();
}
