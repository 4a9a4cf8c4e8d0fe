// What Linux tells about living processes. Elsewhere `hasProcTable` is false and callers fall back to process groups.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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
  isThere ??= isOwnProcMounted();
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
  const stat = readText(`/proc/${pid}/stat`);
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
  return markIn(readText(`/proc/${pid}/environ`));
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

function isOwnProcMounted(): boolean {
  try {
    // A /proc of another pid namespace would show us the wrong processes.
    return readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
