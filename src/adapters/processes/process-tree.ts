// Ends a tree of processes: asks, waits, kills, and looks again until nothing of it is alive.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  hasProcTable,
  isMarkedBy,
  livingPids,
  readProcEntry,
  readProcTable,
  type ProcEntry,
} from './proc-table.ts';
import { seeMarks } from './see-marks.ts';
import { readPsTable, runKillTree } from './without-proc.ts';

export interface ProcessTree {
  readonly rootPid: number;
  readonly rootStartTime: string | null;
  readonly mark: string;
  /** The root is the wrapper of a pid namespace: ending it kills all inside at once, so it is not asked. */
  readonly isWrapped: boolean;
}

type Signal = 'SIGTERM' | 'SIGKILL';
type Known = Map<number, string>;

/** A process that cannot be killed (stuck in the kernel) must not block us for ever. */
const killMsMax = 30_000;
/**
 * How often and how long to look again while something may have escaped us. On a busy machine one look takes long: so a
 * number of looks counts, and the time only limits them. A machine that is never quiet must not hold us.
 */
const unsureLooksMax = 25;
const unsureMsMax = 10_000;

export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  if (!hasProcTable()) return endWithoutTable(tree.rootPid, graceMs);
  const known: Known = new Map();
  const asked = await findSurely(() => membersOf(tree, known), ourselves());
  if (asked.length === 0) return;
  send(tree.isWrapped ? insideOf(tree, asked) : asked, 'SIGTERM');
  const isGone = async (): Promise<boolean> =>
    !isAnyAlive(known) && (await membersOf(tree, known)).found.length === 0;
  await untilGone(isGone, graceMs);
  await killAll(() => membersOf(tree, known));
}

/** Kills everything whose mark lies under `prefix`, without asking. Returns the pids. */
export async function sweepMark(prefix: string): Promise<number[]> {
  if (!hasProcTable()) return [];
  return killAll(() => findMarked({ table: readProcTable() }, prefix));
}

interface Found {
  readonly found: readonly ProcEntry[];
  /** Some process was between two programs, or did not show its mark in time. */
  readonly isUnsure: boolean;
}

/**
 * The processes of `entries` with a mark under `prefix`; if none has one, also those that were started since the table was
 * read. Their parent may have been gone before its own mark could be read.
 */
export async function findMarked(
  {
    table,
    entries = table,
  }: { readonly table: readonly ProcEntry[]; readonly entries?: readonly ProcEntry[] },
  prefix: string,
  readMarks: typeof seeMarks = seeMarks,
): Promise<Found> {
  const examined = new Set(table.map(({ pid }) => pid));
  let isUnsure = false;
  let batch = entries;
  for (let round = 1; batch.length > 0; round += 1) {
    const marks = await readMarks(batch);
    const isMarked = ({ pid }: ProcEntry): boolean => {
      const seen = marks.get(pid);
      return seen !== undefined && seen !== 'unsure' && isMarkedBy(seen.mark, prefix);
    };
    isUnsure ||= batch.some(({ pid }) => marks.get(pid) === 'unsure');
    const found = batch.filter(isMarked);
    if (found.length > 0) return { found, isUnsure };
    batch = startedSince(examined);
    if (round === roundsMax && batch.length > 0) return { found: [], isUnsure: true };
  }
  return { found: [], isUnsure };
}

/** A machine that starts processes all the time is looked at again later, `unsureLooksMax` times. */
const roundsMax = 4;

/** Adds them to `examined`. */
function startedSince(examined: Set<number>): ProcEntry[] {
  const fresh = livingPids().filter((pid) => !examined.has(pid));
  for (const pid of fresh) examined.add(pid);
  return fresh.map(readProcEntry).filter((entry) => entry !== null);
}

async function killAll(find: () => Promise<Found>): Promise<number[]> {
  const killed = new Set<number>();
  const spared = ourselves();
  const deadline = performance.now() + killMsMax;
  for (let pauseMs = 1; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 50)) {
    const found = await findSurely(find, spared);
    if (found.length === 0) break;
    for (const entry of found) killed.add(entry.pid);
    send(found, 'SIGKILL');
    await sleep(pauseMs);
  }
  return [...killed];
}

/** That nothing was found counts only after a look that could see everything. */
async function findSurely(find: () => Promise<Found>, spared: ReadonlySet<number>): Promise<ProcEntry[]> {
  const deadline = performance.now() + unsureMsMax;
  for (let looks = 1; ; looks += 1) {
    const { found, isUnsure } = await find();
    const ours = found.filter((entry) => !spared.has(entry.pid));
    const isEnough = looks >= unsureLooksMax || performance.now() >= deadline;
    if (ours.length > 0 || !isUnsure || isEnough) return ours;
    await sleep(Math.min(2 ** (looks - 1), 50));
  }
}

/**
 * By descent, by session and process group, by mark, and whatever of it was seen before: a child whose parent
 * died meanwhile has another parent now.
 */
async function membersOf(tree: ProcessTree, known: Known): Promise<Found> {
  const table = readProcTable();
  const isRootReused = table.some(
    (entry) => entry.pid === tree.rootPid && entry.startTime !== tree.rootStartTime,
  );
  const members = new Map<number, ProcEntry>();
  const own = ourselves();
  const take = (entry: ProcEntry): void => {
    if (!own.has(entry.pid)) members.set(entry.pid, entry);
  };
  const isMember = (entry: ProcEntry): boolean => {
    const isRoot = entry.pid === tree.rootPid && !isRootReused;
    const isNear = !isRootReused && (entry.session === tree.rootPid || entry.pgid === tree.rootPid);
    return isRoot || isNear || known.get(entry.pid) === entry.startTime;
  };
  for (const entry of table) if (isMember(entry)) take(entry);
  // No other program has this mark, so nothing that is older than its first process can bear it.
  const others = table.filter((entry) => !members.has(entry.pid) && isAsYoung(entry, tree));
  const marked = await findMarked({ table, entries: others }, tree.mark);
  for (const entry of marked.found) take(entry);
  addDescendants(table, members, take);
  for (const entry of members.values()) known.set(entry.pid, entry.startTime);
  return { found: [...members.values()], isUnsure: marked.isUnsure };
}

/** As long as one is, nothing more has to be looked for. */
function isAnyAlive(known: Known): boolean {
  return [...known].some(([pid, startTime]) => readProcEntry(pid)?.startTime === startTime);
}

function isAsYoung({ startTime }: ProcEntry, { rootStartTime }: ProcessTree): boolean {
  return rootStartTime === null || BigInt(startTime) >= BigInt(rootStartTime);
}

function addDescendants(
  table: readonly ProcEntry[],
  members: ReadonlyMap<number, ProcEntry>,
  take: (entry: ProcEntry) => void,
): void {
  const children = Map.groupBy(table, (entry) => entry.ppid);
  const parents = [...members.keys()];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (members.has(child.pid)) continue;
      take(child);
      if (members.has(child.pid)) parents.push(child.pid);
    }
  }
}

/** All but the wrapper and the first process of its namespace, which is the wrapper too. */
function insideOf(tree: ProcessTree, members: readonly ProcEntry[]): ProcEntry[] {
  return members.filter((entry) => entry.pid !== tree.rootPid && entry.ppid !== tree.rootPid);
}

/** A sweep never ends the process that sweeps. */
function ourselves(): Set<number> {
  return new Set([process.pid, process.ppid]);
}

/** Another process may have got the number since we looked. */
function send(entries: readonly ProcEntry[], signal: Signal): void {
  for (const { pid, startTime } of entries)
    if (readProcEntry(pid)?.startTime === startTime) sendTo(pid, signal);
}

function sendTo(pid: number, signal: Signal | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // Gone meanwhile.
  }
}

/** Where there is no process table: by what the system's own programs tell. A process whose parent died before is not found. */
export async function endWithoutTable(
  rootPid: number,
  graceMs: number,
  platform: string = process.platform,
): Promise<void> {
  if (platform === 'win32') {
    if (sendTo(rootPid, 0)) runKillTree(rootPid);
    return untilGone(() => !sendTo(rootPid, 0), killMsMax);
  }
  const known: Known = new Map();
  const sendAll = (signal: Signal): void => {
    sendTo(-rootPid, signal);
    for (const { pid } of psMembers(rootPid, known)) sendTo(pid, signal);
  };
  const isGone = (): boolean => !sendTo(-rootPid, 0) && psMembers(rootPid, known).length === 0;
  if (isGone()) return;
  sendAll('SIGTERM');
  await untilGone(isGone, graceMs);
  if (isGone()) return;
  sendAll('SIGKILL');
  await untilGone(isGone, killMsMax);
}

/** By group, by descent, and whatever of it was seen before. */
function psMembers(rootPid: number, known: Known): ProcEntry[] {
  const table = readPsTable();
  const members = new Map<number, ProcEntry>();
  const own = ourselves();
  const take = (entry: ProcEntry): void => {
    if (!own.has(entry.pid)) members.set(entry.pid, entry);
  };
  for (const entry of table)
    if (entry.pgid === rootPid || known.get(entry.pid) === entry.startTime) take(entry);
  addDescendants(table, members, take);
  for (const entry of members.values()) known.set(entry.pid, entry.startTime);
  return [...members.values()];
}

async function untilGone(isGone: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (
    let pauseMs = 2;
    !(await isGone()) && performance.now() < deadline;
    pauseMs = Math.min(pauseMs * 2, 50)
  ) {
    await sleep(Math.max(1, Math.min(pauseMs, deadline - performance.now())));
  }
}
