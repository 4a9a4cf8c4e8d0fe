// The progress of a session at a moment, observed from outside the program: by its journal, log, receipt and the
// agent's ledger.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Event } from '#kernel/events/events.ts';
import { readEvents } from './journal.ts';
import { readLedger } from './ledger.ts';
import type { Place } from './place.ts';
import { runFolders } from './place.ts';
import { isAlive, livingWith } from './processes.ts';

/** In the order in which a session goes through them. The last three lie between the agent's end and its record. */
export const windows = [
  'no session',
  'agent at work',
  'agent done, not yet in the log',
  'end in the log, no receipt',
  'receipt, not yet recorded',
] as const;
export type Window = (typeof windows)[number];

export interface Moment {
  readonly window: Window;
  readonly stepId: string | null;
}

export function isAfterEnd(window: Window): boolean {
  return windows.indexOf(window) >= 2;
}

export function momentOf(place: Place): Moment {
  const folder = runFolders(place).at(-1);
  const stepId = folder === undefined ? null : openSession(readEvents(folder));
  if (folder === undefined || stepId === null) return { window: 'no session', stepId: null };
  const mark = `${basename(folder)}/${stepId}`;
  const isDone = readLedger(place).some((line) => line.what === 'end' && line.mark.startsWith(`${mark}/`));
  if (!isDone) return { window: 'agent at work', stepId };
  if (isFinished(read(fileOf(folder, 'receipts', stepId)))) return { window: windows[4], stepId };
  return { window: windows[isFinished(endInLog(place, folder, stepId)) ? 3 : 2], stepId };
}

/**
 * The session that can only be recorded as finished; null where none is. What its host wrote is enough; of what the host has
 * not written yet, the exit of the agent is enough, if the agent exited by itself and the host stays alive.
 */
export function boundToFinish(
  place: Place,
  { window, stepId }: Moment,
  doesExitCount: boolean,
): string | null {
  if (stepId === null || !isAfterEnd(window)) return null;
  if (window !== 'agent done, not yet in the log') return stepId;
  return doesExitCount && !isAgentAlive(place, stepId) ? stepId : null;
}

/** The steps whose receipt says that their session finished. */
export function finishedByReceipt(place: Place): string[] {
  const folder = join(runFolders(place)[0] ?? '', 'receipts');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(read(join(folder, name))) as ReceiptFile)
    .filter(({ result }) => result.ending.kind === 'finished')
    .map(({ stepId }) => stepId);
}

interface ReceiptFile {
  readonly stepId: string;
  readonly result: { readonly ending: { readonly kind: string } };
}

export function openSession(events: readonly Event[]): string | null {
  let open: string | null = null;
  for (const event of events) {
    if (event.type === 'step-started' && event.step.deed.kind === 'session') open = event.step.stepId;
    else if ((event.type === 'step-ended' || event.type === 'step-lost') && event.stepId === open)
      open = null;
  }
  return open;
}

export function isAgentAlive(place: Place, stepId: string): boolean {
  const runId = basename(runFolders(place).at(-1) ?? '');
  const living = livingWith(`UNTILDONE_MARK=${runId}/${stepId}/`);
  // What the agents of the ledger are started as; what they leave behind is not meant.
  return living.some(({ command }) => /host\.js play|verifier\.sh/.test(command));
}

/** A session whose host was killed leaves no receipt any more. */
export function isHosted(place: Place, stepId: string): boolean {
  const record = recordOf(runFolders(place).at(-1) ?? '', stepId);
  return record !== null && isAlive(record.pid);
}

function recordOf(folder: string, stepId: string): { readonly pid: number; readonly log: string } | null {
  const text = read(fileOf(folder, 'hosts', stepId));
  return text === '' ? null : (JSON.parse(text) as { readonly pid: number; readonly log: string });
}

/** The line of the log with the agent's end. */
function endInLog(place: Place, folder: string, stepId: string): string {
  const log = recordOf(folder, stepId)?.log ?? '';
  const lines = read(join(place.repo, '.untildone/runs', basename(folder), 'logs', log)).split('\n');
  lines.pop();
  return lines.findLast((line) => line.includes(`,"type":"agent-ended","stepId":"${stepId}"`)) ?? '';
}

function isFinished(text: string): boolean {
  return text.includes('"ending":{"kind":"finished"}');
}

function fileOf(folder: string, kind: 'receipts' | 'hosts', stepId: string): string {
  return join(folder, kind, `${encodeURIComponent(stepId)}.json`);
}

function read(file: string): string {
  return existsSync(file) && !file.endsWith('/') ? readFileSync(file, 'utf8') : '';
}
