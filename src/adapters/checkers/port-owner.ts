// Finds the process that listens on a port of this machine. Only Linux shows it.
import {
  hasProcTable,
  isMarkedBy,
  readProcEntry,
  readProcTable,
  readProcText,
  socketsOf,
} from '#adapters/processes/proc-table.ts';
import { seeMarks } from '#adapters/processes/see-marks.ts';

/** Null when the listener is older than the run, so that no agent of the run can have left it. */
export async function leftoverProblem(port: number, since: number): Promise<string | null> {
  const hint = 'start it with "serve", so that the checked tree answers';
  if (!hasProcTable()) return `this system does not show which program listens on port ${port}; ${hint}`;
  const owners = ownersOf(port);
  const markOf = await marksOf(owners);
  if (owners.some((pid) => markOf(pid) !== null || startedAt(pid) >= since - slackMs))
    return `the program on port ${port} was started after the run began, perhaps by an agent; ${hint}`;
  return owners.length > 0 || isRoot()
    ? null
    : `the program on port ${port} belongs to another user, so its origin is unknown; ${hint}`;
}

/** Null unless the listener provably is older than our server or serves another step. */
export async function strangerProblem(port: number, serverPid: number, mark: string): Promise<string | null> {
  if (!hasProcTable()) return null;
  const server = readProcEntry(serverPid);
  const owners = ownersOf(port).flatMap((pid) => readProcEntry(pid) ?? []);
  if (server === null || owners.length === 0) return null;
  const family = familyOf(serverPid);
  const markOf = await marksOf(owners.map(({ pid }) => pid));
  const isOurs = owners.some(
    (owner) =>
      family.has(owner.pid) ||
      (BigInt(owner.startTime) >= BigInt(server.startTime) && isMarkedBy(markOf(owner.pid) ?? mark, mark)),
  );
  return isOurs ? null : `another program took port ${port} before the server did, and answered in its place`;
}

/** A process with an unreadable mark counts as marked by another step. */
async function marksOf(pids: readonly number[]): Promise<(pid: number) => string | null> {
  const marks = await seeMarks(pids.map((pid) => ({ pid, pgid: pid })));
  return (pid) => {
    const mark = marks.get(pid);
    return mark === undefined || mark === 'unsure' ? '' : mark.mark;
  };
}

// Both clocks tick in steps of ten milliseconds.
const slackMs = 20;
const ticksPerSecond = 100;

function startedAt(pid: number): number {
  const entry = readProcEntry(pid);
  const boot = /^btime (\d+)$/m.exec(readProcText('/proc/stat') ?? '')?.[1];
  if (entry === null || boot === undefined) return Number.POSITIVE_INFINITY;
  return (Number(boot) + Number(entry.startTime) / ticksPerSecond) * 1000;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function familyOf(root: number): Set<number> {
  const family = new Set([root]);
  const table = readProcTable();
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid, ppid } of table) if (family.has(ppid)) family.add(pid);
  }
  return family;
}

function ownersOf(port: number): number[] {
  const inodes = new Set([...listening('/proc/net/tcp', port), ...listening('/proc/net/tcp6', port)]);
  if (inodes.size === 0) return [];
  return readProcTable()
    .map(({ pid }) => pid)
    .filter((pid) => !socketsOf(pid).isDisjointFrom(inodes));
}

const listenState = '0A';

function listening(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return (readProcText(table) ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === listenState && local.endsWith(`:${wanted}`))
    .map((fields) => fields[9] ?? '');
}
