// Reads the wake records once, starts a driver for each run that seems due, and waits for none.
import { createFileProbe } from '#adapters/waiting/file-probe.ts';
import { readPollRecords } from '#adapters/waiting/poll-records.ts';
import { storePaths } from '#adapters/store/paths.ts';
import { readWakeRecords, type WakeRecord } from '#adapters/waiting/wake-file.ts';
import { simpleConditions } from '#kernel/waiting/condition.ts';
import { isDue } from '#policies/waiting/due.ts';
import { isHeld, wakeChild } from './wake-child.ts';
import type { Site } from '#app/site.ts';
import { isRepoAt } from '#adapters/waiting/repo-roots.ts';

/** More would slow down the command that found them; the next command wakes more. */
const childrenMax = 4;

/** Runs that seem due and have no driver; only those of `repoId` if given. */
export async function dueRecords(stateHome: string, repoId?: string): Promise<WakeRecord[]> {
  const due: WakeRecord[] = [];
  for (const record of await readWakeRecords(stateHome, repoId))
    if (record.mayWake && (await seemsDue(stateHome, record)) && !(await isHeld(stateHome, record)))
      due.push(record);
  return due;
}

async function seemsDue(stateHome: string, { repoId, runId, awaited }: WakeRecord): Promise<boolean> {
  const parts = awaited.flatMap((one) => (one.kind === 'suspension' ? simpleConditions(one.condition) : []));
  const probe = createFileProbe();
  const there = new Set<string>();
  for (const part of parts) if (part.kind === 'file' && (await probe(part))) there.add(JSON.stringify(part));
  const { looks: file } = storePaths({ stateHome, commonDir: '', repoId, viewsRoot: '' }).run(runId);
  const records = parts.some(({ kind }) => kind === 'poll') ? await readPollRecords(file) : {};
  return isDue(awaited, {
    now: Date.now(),
    lastPollAt: (suspensionId, { command }) => records[`${suspensionId} ${command}`]?.endedAt ?? null,
    isFileThere: (condition) => there.has(JSON.stringify(condition)),
  });
}

/** `here` is the repository of the calling command: it may have moved since the wait began. */
export async function wakeDue(
  stateHome: string,
  { env, here }: { readonly env: NodeJS.ProcessEnv; readonly here?: Site },
): Promise<string[]> {
  const woken: string[] = [];
  for (const record of await dueRecords(stateHome, here?.repoId)) {
    if (woken.length >= childrenMax) break;
    const root = (await isRepoAt(record)) ? record.root : here?.root;
    if (root === undefined) continue;
    wakeChild({ root, runId: record.runId, env }).unref();
    woken.push(record.runId);
  }
  return woken;
}
