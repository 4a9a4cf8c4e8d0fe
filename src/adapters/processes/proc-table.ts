// Reads the process table of Linux. Elsewhere `hasProcTable` is false and callers use process groups.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { orElse } from '#base/or-else.ts';

export interface ProcEntry {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly session: number;
  /** Clock ticks since boot. Together with the pid it identifies one process, even if pids are reused. */
  readonly startTime: string;
}

export const markVariable = 'UNTILDONE_MARK';
/** The mark of a session host, which has no step mark. A child also has it until its program is loaded. */
export const hostVariable = 'UNTILDONE_HOST';

let isThere: boolean | null = null;

export function hasProcTable(): boolean {
  // A /proc of another pid namespace would show the wrong processes.
  isThere ??= orElse(() => readlinkSync('/proc/self') === String(process.pid), false);
  return isThere;
}

/** Without zombies. */
export function readProcTable(): ProcEntry[] {
  return livingPids()
    .map(readProcEntry)
    .filter((entry) => entry !== null);
}

/** Zombies included. */
export function livingPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)
    .map(Number);
}

/** Null for a process that is gone or a zombie. */
export function readProcEntry(pid: number): ProcEntry | null {
  const stat = readProcText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid, session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined || 'ZXx'.includes(state)) return null;
  return { pid, ppid: Number(ppid), pgid: Number(pgid), session: Number(session), startTime };
}

/**
 * The mark that a process was started with; null if it has none or we may not read it. Blocks as long as the
 * process holds its memory: a driver uses `seeMarks`.
 */
export function readMark(pid: number): string | null {
  return markIn(readProcText(`/proc/${pid}/environ`));
}

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

/** Null if it is missing or we may not read it. */
export function readProcText(path: string): string | null {
  return orElse(() => readFileSync(path, 'latin1'), null);
}

/** Identifies one boot of the machine; null if the system does not show it. */
export function bootId(): string | null {
  return readProcText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

/** Sockets that a process holds, by inode; none if it is gone or we may not read it. */
export function socketsOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  const links = orElse(() => readdirSync(folder), []).map((fd) =>
    orElse(() => readlinkSync(`${folder}/${fd}`), ''),
  );
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}
