// Detects lines that journal and mirror have both lost: receipts still name the paid sessions.
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { receiptFileOf } from '#adapters/sessions/receipt-file.ts';
import type { Event } from '#kernel/events/events.ts';
import { OperatorError } from '#base/operator-error.ts';
import { isMissing, readError } from '#adapters/files/io-error.ts';
import type { RunPaths } from '#adapters/store/paths.ts';

/** File names. Contract: list them before reading the journal: a step is there before its receipt exists. */
export async function listReceipts({ receipts }: RunPaths): Promise<readonly string[]> {
  const names = await readdir(receipts).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw readError(error, 'The receipts', receipts);
  });
  return names.filter((name) => name.endsWith('.json'));
}

/** The receipts whose step these events lack. */
function unknownTo(events: readonly Event[], receipts: readonly string[]): readonly string[] {
  if (receipts.length === 0) return [];
  const known = new Set(
    events.flatMap((event) =>
      event.type === 'step-started' ? [basename(receiptFileOf('', event.step.stepId))] : [],
    ),
  );
  return receipts.filter((name) => !known.has(name));
}

/** Warnings for a reader; empty if the events name every session. */
export function lostLines(run: RunPaths, events: readonly Event[], receipts: readonly string[]): string[] {
  const { length } = unknownTo(events, receipts);
  if (length === 0) return [];
  return [
    `The journal of run ${run.runId} lost lines: it does not know ${length} session(s) that were paid for.`,
  ];
}

/** A driver would pay for the lost sessions again. */
export function refuseLostLines(run: RunPaths, events: readonly Event[], receipts: readonly string[]): void {
  const [lost] = lostLines(run, events, receipts);
  if (lost === undefined) return;
  throw new OperatorError(
    'journal-damaged',
    lost,
    `Nothing was overwritten. Restore ${run.journal} from a backup and resume, or start a new run with \`untildone run … --new\`; the branch and the logs of this run are still there.`,
  );
}

/** Whether a receipt is newer than the snapshot and not of a step in `events`, which follow the snapshot. */
export async function mayHaveLostLines(
  run: RunPaths,
  events: readonly Event[],
  receipts: readonly string[],
): Promise<boolean> {
  const savedAt = await changedAt(run.snapshot);
  if ((await changedAt(run.receipts)) < savedAt) return false;
  for (const name of unknownTo(events, receipts)) {
    if ((await changedAt(join(run.receipts, name))) >= savedAt) return true;
  }
  return false;
}

async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}
