// Reads a journal that may be damaged: readers repair it in memory, the driver on disk.
import { copyFile, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '#base/error-text.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Position, Reading } from '#ports/store.ts';
import { OperatorError } from '#base/operator-error.ts';
import { readIfThere, replaceFile } from '#adapters/files/files.ts';
import { type Healing, heal } from './heal.ts';
import { writeError } from '#adapters/files/io-error.ts';
import { jsonOffset, newline } from './line.ts';
import { mirrorBirth } from './list.ts';
import { listReceipts, lostLines, mayHaveLostLines, refuseLostLines } from './lost-lines.ts';
import {
  type MirrorEnd,
  type MirrorReading,
  type MirrorWriter,
  type Seal,
  createSeal,
  ensureMirrorKey,
  firstDisagreement,
  openMirror,
  readMirror,
  readMirrorEnd,
  readMirrorKey,
} from './mirror.ts';
import type { RunPaths, StorePaths } from '#adapters/store/paths.ts';
import { type Scan, scanBytes, scanJournal } from './scan.ts';

export interface Recovered {
  readonly scan: Scan;
  readonly notes: readonly string[];
  readonly mirror: MirrorWriter | null;
}

type Healed = Healing & { readonly kind: 'healed' };

export async function exists(run: RunPaths, paths: StorePaths): Promise<boolean> {
  const found = await stat(run.journal).catch(() => null);
  return found !== null || (await mirrorBirth(paths, run.runId)) !== null;
}

/** Contract: changes nothing. Silently skips an incomplete last line: it may still be being written. */
export async function readRun(
  run: RunPaths,
  paths: StorePaths,
): Promise<Reading & { readonly ends: readonly number[] }> {
  const seal = await sealOf(run, paths);
  const receipts = await listReceipts(run);
  // Read before the journal: a driver writes the journal first, so a mirror that is ahead means lost lines.
  const end = await readMirrorEnd(run.mirror, seal);
  const scan = await scanJournal(run.journal);
  if (isWhole(scan, end)) {
    const notes = end === 'not ours' ? [uncheckable(run)] : [];
    const lost = lostLines(run, scan.events, receipts);
    return { events: scan.events, ends: scan.ends, notes: [...notes, ...lost] };
  }
  const healed = orRefuse(heal(await readIfThere(run.journal), await readMirror(run.mirror, seal)), run);
  const { events, ends } = scanBytes(healed.bytes, run.journal);
  const notes = [sentence(healed, run, scan.problem, null), ...lostLines(run, events, receipts)];
  return { events, ends, notes };
}

/** Contract: changes and repairs nothing. On null, the caller reads from the beginning. */
export async function readRunAfter(
  run: RunPaths,
  paths: StorePaths,
  position: Position,
): Promise<readonly Event[] | null> {
  const receipts = await listReceipts(run);
  const end = await readMirrorEnd(run.mirror, await sealOf(run, paths));
  const found = await stat(run.journal).catch(() => null);
  if (end === 'not ours' || found === null || found.size < position.bytes) return null;
  const scan = await scanJournal(run.journal, position);
  if (!isWhole(scan, { seq: end.seq - position.seq })) return null;
  return (await mayHaveLostLines(run, scan.events, receipts)) ? null : scan.events;
}

async function sealOf(run: RunPaths, paths: StorePaths): Promise<Seal | null> {
  const key = await readMirrorKey(paths.mirrorKey).catch(() => null);
  return key === null ? null : createSeal(key, run.runId);
}

/** The journal's lines are sound, and the mirror has no more of them. */
function isWhole({ problem, crcs }: Scan, end: MirrorEnd): boolean {
  const isSound = problem === null || problem === 'torn';
  return isSound && (end === 'not ours' || end.seq <= crcs.length);
}

function uncheckable(run: RunPaths): string {
  return `The copy of the journal in ${run.mirror} cannot be checked: it was changed, or its key is gone. What you see comes from the journal alone.`;
}

/** Needs the lock. When it resolves, journal and mirror are sound and equal. */
export async function recover(
  run: RunPaths,
  paths: StorePaths,
  onNote: (text: string) => void,
): Promise<Recovered> {
  const seal = createSeal(await ensureMirrorKey(paths.mirrorKey), run.runId);
  const reading = await readMirror(run.mirror, seal).catch(() => readMirror(run.mirror, null));
  const found = await scanJournal(run.journal);
  const isSound = found.problem === null && reading.lastSeq <= found.crcs.length;
  const healed = isSound ? null : orRefuse(heal(await readIfThere(run.journal), reading), run);
  const scan = healed === null ? found : scanBytes(healed.bytes, run.journal);
  refuseDisagreement(firstDisagreement(scan.crcs, reading), run);
  refuseLostLines(run, scan.events, await listReceipts(run));
  const notes = healed === null ? [] : [await healOnDisk(run, healed, found.problem)];
  if (reading.strangers > 0) {
    notes.push(
      `The copy of the journal in ${run.mirror} held ${reading.strangers} line(s) that untildone did not write; it was written again.`,
    );
  }
  return { scan, notes, mirror: await upToDate(run, { seal, reading, scan }, onNote) };
}

async function healOnDisk(run: RunPaths, healed: Healed, problem: Scan['problem']): Promise<string> {
  try {
    const kept = problem === 'damaged' ? await keepDamaged(run) : null;
    await replaceFile(run.journal, healed.bytes);
    return sentence(healed, run, problem, kept);
  } catch (error) {
    throw writeError(error, 'The healed journal', run.journal);
  }
}

async function keepDamaged(run: RunPaths): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const kept = join(run.folder, `journal.damaged-${stamp}.jsonl`);
  await copyFile(run.journal, kept, constants.COPYFILE_EXCL);
  return kept;
}

/** A run continues without its mirror, and says so. */
async function upToDate(
  run: RunPaths,
  found: { readonly seal: Seal; readonly reading: MirrorReading; readonly scan: Scan },
  onNote: (text: string) => void,
): Promise<MirrorWriter | null> {
  const { seal, reading, scan } = found;
  const onTrouble = (error: unknown) =>
    onNote(
      `The copy of the journal in ${run.mirror} cannot be written (${errorText(error)}); the run continues without it.`,
    );
  try {
    const readLines = async () => jsonLines((await readIfThere(run.journal)) ?? Buffer.alloc(0));
    return await openMirror({
      file: run.mirror,
      seal,
      reading,
      count: scan.crcs.length,
      readLines,
      onTrouble,
    });
  } catch (error) {
    onTrouble(error);
    return null;
  }
}

function jsonLines(journal: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0, end = journal.indexOf(newline); end !== -1; end = journal.indexOf(newline, start)) {
    lines.push(journal.subarray(start + jsonOffset, end));
    start = end + 1;
  }
  return lines;
}

function sentence(healed: Healed, run: RunPaths, problem: Scan['problem'], kept: string | null): string {
  if (problem === 'missing') {
    return `The journal of run ${run.runId} was missing; its ${healed.entries} entries come from the copy in ${run.mirror}.`;
  }
  const parts: string[] = [];
  if (healed.fromMirror.length > 0)
    parts.push(`entry ${ranges(healed.fromMirror)} comes from the copy in ${run.mirror}`);
  if (healed.cut === 'unfinished-line')
    parts.push('its last line was unfinished and never acknowledged, and was left out');
  if (healed.cut === 'damaged-line') parts.push(`its last line was damaged, is in no copy, and was left out`);
  if (kept !== null) parts.push(`the damaged file is kept as ${kept}`);
  if (parts.length === 0) parts.push('its last line had lost its end and was completed');
  return `The journal of run ${run.runId} was damaged: ${parts.join('; ')}.`;
}

function ranges(seqs: readonly number[]): string {
  const shown = seqs.slice(0, 10).join(', ');
  return seqs.length > 10 ? `${shown} and ${seqs.length - 10} more` : shown;
}

function orRefuse(healing: Healing, run: RunPaths): Healed {
  if (healing.kind === 'healed') return healing;
  throw damaged(
    run,
    `entry ${healing.seq} is damaged in ${run.journal} and in its copy ${run.mirror}`,
    'Restore either file from a backup and resume',
  );
}

/** Both are sound and one of them is false; a person must decide which. */
function refuseDisagreement(seq: number | null, run: RunPaths): void {
  if (seq === null) return;
  throw damaged(
    run,
    `entry ${seq} of ${run.journal} is not what its sealed copy ${run.mirror} says`,
    'Move away the file that you do not trust and resume from the other',
  );
}

function damaged(run: RunPaths, why: string, wayOut: string): OperatorError {
  return new OperatorError(
    'journal-damaged',
    `The journal of run ${run.runId} is damaged and cannot be healed: ${why}.`,
    `Nothing was overwritten. ${wayOut}, or start a new run; what the agents did is still in git under refs/untildone/.`,
  );
}
