// A sign that a process cannot shed: a lowered hard limit goes to every descendant, through setsid, a scrubbed environment and
// the loss of all parents, and only the superuser raises it again. "File locks" is one that Linux counts for nothing.
import { findWorking } from './program.ts';
import { readProcText } from './proc-table.ts';

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Higher than any that somebody has set for a reason. */
const highest = 2_000_000_000;

/** The command as it is where this machine has no way to brand it. */
export function branded<T extends Command>(command: T): T {
  const prlimit = findBrander();
  if (prlimit === null) return command;
  const own = lockLimitOf(process.pid) ?? 0;
  // Below our own: whoever we start is told from us, also when we work inside a run ourselves.
  const limit = Math.min(highest, own - 1);
  if (limit < 1) return command;
  return { ...command, file: prlimit, args: [`--locks=${limit}`, command.file, ...command.args] };
}

/** Whether another process was branded, by us or by somebody with our limits. Unsure means no. */
export function isBranded(pid: number): boolean {
  const [theirs, own] = [lockLimitOf(pid), lockLimitOf(process.pid)];
  return theirs !== null && own !== null && theirs < own;
}

/** Whether this process bears one itself. There is nobody to compare it with: only a brand that was left as it was is known. */
export function bearsBrand(): boolean {
  const own = lockLimitOf(process.pid);
  return own !== null && own <= highest && own > highest - depthMax;
}

/** Runs within runs, which nobody does so often. */
const depthMax = 100;

/** The hard one; null where the system does not tell. */
function lockLimitOf(pid: number): number | null {
  const limit = /^Max file locks +\S+ +(\S+)/m.exec(readProcText(`/proc/${pid}/limits`) ?? '')?.[1];
  if (limit === undefined) return null;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
}

let found: string | null | undefined;

/** Asked once per process. */
function findBrander(): string | null {
  if (found === undefined) found = findWorking('prlimit', ['--locks=1']);
  return found;
}
