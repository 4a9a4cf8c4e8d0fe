// What Linux tells about living processes. Elsewhere `hasProcTable` is false and callers fall back to process groups.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { orElse } from '#base/or-else.ts';

export interface ProcEntry {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly session: number;
  /** Clock ticks since boot: with the pid it names one process, however pids are reused. */
  readonly startTime: string;
}

export const markVariable = 'UNTILDONE_MARK';
/** The mark of a session host, which has no mark of a step. A child has it too until its program is loaded. */
export const hostVariable = 'UNTILDONE_HOST';

let isThere: boolean | null = null;

export function hasProcTable(): boolean {
  // A /proc of another pid namespace would show us the wrong processes.
  isThere ??= orElse(() => readlinkSync('/proc/self') === String(process.pid), false);
  return isThere;
}

/** Every process that is alive; a zombie is not. */
export function readProcTable(): ProcEntry[] {
  return livingPids()
    .map(readProcEntry)
    .filter((entry) => entry !== null);
}

/** With those that are dead and not yet collected. */
export function livingPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)
    .map(Number);
}

/** Null for a process that is gone, or dead and not yet collected. */
export function readProcEntry(pid: number): ProcEntry | null {
  const stat = readProcText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid, session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined || 'ZXx'.includes(state)) return null;
  return { pid, ppid: Number(ppid), pgid: Number(pgid), session: Number(session), startTime };
}

/**
 * The mark that a process was started with; null if it has none or is not ours to look at. Waits for as long as the process
 * holds its memory: a driver asks by `seeMarks`.
 */
export function readMark(pid: number): string | null {
  return markIn(readProcText(`/proc/${pid}/environ`));
}

/** The mark in the text of an environment. */
export function markIn(environ: string | null): string | null {
  if (environ === null) return null;
  return valueIn(environ, markVariable) ?? valueIn(environ, hostVariable);
}

function valueIn(environ: string, variable: string): string | null {
  const name = `${variable}=`;
  const at = environ.startsWith(name) ? 0 : environ.indexOf(`\0${name}`) + 1;
  if (at === 0 && !environ.startsWith(name)) return null;
  const end = environ.indexOf('\0', at);
  return environ.slice(at + name.length, end === -1 ? undefined : end);
}

/** `run/1` covers `run/1` and `run/1/…`, never `run/10`. */
export function isMarkedBy(mark: string | null, prefix: string): boolean {
  if (mark === null || !mark.startsWith(prefix)) return false;
  return mark.length === prefix.length || prefix.endsWith('/') || mark[prefix.length] === '/';
}

/** Null for what is not there, or not ours to look at. */
export function readProcText(path: string): string | null {
  return orElse(() => readFileSync(path, 'latin1'), null);
}

/** Names one start of the machine; null where the system does not tell. */
export function bootId(): string | null {
  return readProcText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

/** The sockets that a process holds, by inode; none for a process that is gone or not ours to look at. */
export function socketsOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  const links = orElse(() => readdirSync(folder), []).map((fd) =>
    orElse(() => readlinkSync(`${folder}/${fd}`), ''),
  );
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}
