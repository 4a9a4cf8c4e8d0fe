// Marks the processes of a run by a lowered hard limit. Every descendant inherits it, through setsid, a
// cleared environment and orphaning, and only root can raise it. Linux does not enforce "file locks".
import { findWorking } from './program.ts';
import { readProcText } from './proc-table.ts';

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Higher than any limit set for a reason. */
const highest = 2_000_000_000;

/** Returns the command unchanged if this machine cannot set the limit. */
export function withRunMarker<T extends Command>(command: T): T {
  const prlimit = findBrander();
  if (prlimit === null) return command;
  const own = lockLimitOf(process.pid) ?? 0;
  // Below our own limit, to distinguish our children from us even inside another run.
  const limit = Math.min(highest, own - 1);
  if (limit < 1) return command;
  return { ...command, file: prlimit, args: [`--locks=${limit}`, command.file, ...command.args] };
}

/** Whether a process has the run marker, set by us or by a process with our limits. False if unsure. */
export function hasRunMarker(pid: number): boolean {
  const [theirs, own] = [lockLimitOf(pid), lockLimitOf(process.pid)];
  return theirs !== null && own !== null && theirs < own;
}

/** Whether this process has the run marker. With nothing to compare, only an unmodified limit is known. */
export function hasOwnRunMarker(): boolean {
  const own = lockLimitOf(process.pid);
  return own !== null && own <= highest && own > highest - depthMax;
}

/** Nesting depth of runs within runs; more than occurs. */
const depthMax = 100;

/** The hard limit; null if the system does not show it. */
function lockLimitOf(pid: number): number | null {
  const limit = /^Max file locks +\S+ +(\S+)/m.exec(readProcText(`/proc/${pid}/limits`) ?? '')?.[1];
  if (limit === undefined) return null;
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
}

let found: string | null | undefined;

function findBrander(): string | null {
  if (found === undefined) found = findWorking('prlimit', ['--locks=1']);
  return found;
}
