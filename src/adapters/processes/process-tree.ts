// Ends a process tree: sends SIGTERM, waits, kills, and checks until none of it is alive.
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
  /** The root wraps a pid namespace: its end kills everything inside at once, so it gets no SIGTERM. */
  readonly isWrapped: boolean;
}

type Signal = 'SIGTERM' | 'SIGKILL';
type Known = Map<number, string>;

/** A process stuck in the kernel cannot be killed and must not block us forever. */
const killMsMax = 30_000;
/**
 * Limits for repeated searches while a process may have escaped us. On a busy machine one search takes long,
 * so their number counts and the time only caps it: a machine that is never quiet must not block us.
 */
const unsureScansMax = 25;
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

/** Kills everything whose mark is under `prefix`, without SIGTERM. Returns the pids. */
export async function sweepMark(prefix: string): Promise<number[]> {
  if (!hasProcTable()) return [];
  return killAll(() => findMarked({ table: readProcTable() }, prefix));
}

interface FoundProcesses {
  readonly found: readonly ProcEntry[];
  /** A process was in an exec, or its mark could not be read in time. */
  readonly isUnsure: boolean;
}

/**
 * The processes of `entries` with a mark under `prefix`. If there are none, also searches processes started
 * since the table was read: their parent may have ended before its mark could be read.
 */
export async function findMarked(
  {
    table,
    entries = table,
  }: { readonly table: readonly ProcEntry[]; readonly entries?: readonly ProcEntry[] },
  prefix: string,
  readMarks: typeof seeMarks = seeMarks,
): Promise<FoundProcesses> {
  const examined = new Set(table.map(({ pid }) => pid));
  let isUnsure = false;
  let batch = entries;
  for (let round = 1; batch.length > 0; round += 1) {
    const marks = await readMarks(batch);
    const isMarked = ({ pid }: ProcEntry): boolean => {
      const reading = marks.get(pid);
      return reading !== undefined && reading !== 'unsure' && isMarkedBy(reading.mark, prefix);
    };
    isUnsure ||= batch.some(({ pid }) => marks.get(pid) === 'unsure');
    const found = batch.filter(isMarked);
    if (found.length > 0) return { found, isUnsure };
    batch = startedSince(examined);
    if (round === roundsMax && batch.length > 0) return { found: [], isUnsure: true };
  }
  return { found: [], isUnsure };
}

/** A machine that keeps starting processes is searched again later, up to `unsureLooksMax` times. */
const roundsMax = 4;

function startedSince(examined: Set<number>): ProcEntry[] {
  const fresh = livingPids().filter((pid) => !examined.has(pid));
  for (const pid of fresh) examined.add(pid);
  return fresh.map(readProcEntry).filter((entry) => entry !== null);
}

async function killAll(find: () => Promise<FoundProcesses>): Promise<number[]> {
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

/** An empty result counts only if the search could see everything. */
async function findSurely(
  find: () => Promise<FoundProcesses>,
  spared: ReadonlySet<number>,
): Promise<ProcEntry[]> {
  const deadline = performance.now() + unsureMsMax;
  for (let scans = 1; ; scans += 1) {
    const { found, isUnsure } = await find();
    const ours = found.filter((entry) => !spared.has(entry.pid));
    const isEnough = scans >= unsureScansMax || performance.now() >= deadline;
    if (ours.length > 0 || !isUnsure || isEnough) return ours;
    await sleep(Math.min(2 ** (scans - 1), 50));
  }
}

/**
 * Members by descent, session, process group and mark, and those found before: a child of a dead parent has
 * another parent now.
 */
async function membersOf(tree: ProcessTree, known: Known): Promise<FoundProcesses> {
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
  // No other program has this mark, so a process older than its first one cannot have it.
  const others = table.filter((entry) => !members.has(entry.pid) && isAsYoung(entry, tree));
  const marked = await findMarked({ table, entries: others }, tree.mark);
  for (const entry of marked.found) take(entry);
  addDescendants(table, members, take);
  for (const entry of members.values()) known.set(entry.pid, entry.startTime);
  return { found: [...members.values()], isUnsure: marked.isUnsure };
}

/** While one is alive, no further search is needed. */
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

/** All but the wrapper and the first process of its namespace, which belongs to the wrapper. */
function insideOf(tree: ProcessTree, members: readonly ProcEntry[]): ProcEntry[] {
  return members.filter((entry) => entry.pid !== tree.rootPid && entry.ppid !== tree.rootPid);
}

/** A sweep never ends its own process. */
function ourselves(): Set<number> {
  return new Set([process.pid, process.ppid]);
}

/** Another process may have got the pid meanwhile. */
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

/** Without a process table, uses the system's own programs. Misses processes whose parent died before. */
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

/** By group, by descent, and those found before. */
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
