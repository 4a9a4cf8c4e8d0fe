// Finds the ancestors of a process with the environment each was started with; later changes do not count.
import { readFileSync } from 'node:fs';
import { hasProcTable, readProcEntry } from './proc-table.ts';
import { readProcFiles, type ReadFiles } from './read-proc-files.ts';
import { orElse } from '#base/or-else.ts';

export interface Ancestor {
  readonly pid: number;
  /** Empty if we may not read it. */
  readonly env: ReadonlyMap<string, string>;
  /** Its environment could not be read in time, so it is unknown. */
  readonly isHidden?: true;
}

/**
 * Nearest first, beginning with `pid`; empty if the system has no process table. Blocks on a process that
 * holds its memory, so only for a command that inspects its own ancestors.
 */
export function ancestorsOf(pid: number): Ancestor[] {
  return pidsAbove(pid).map((at) => ({
    pid: at,
    env: entriesIn(orElse(() => readFileSync(environFile(at), 'utf8'), '')),
  }));
}

/** As `ancestorsOf`, for a driver: no process can block it. */
export async function findAncestors(pid: number, read?: ReadFiles): Promise<Ancestor[]> {
  const pids = pidsAbove(pid);
  const found = await readProcFiles(pids.map(environFile), read);
  return pids.map((at) => {
    const text = found.get(environFile(at));
    if (text === undefined) return { pid: at, env: new Map(), isHidden: true };
    return { pid: at, env: entriesIn(Buffer.from(text ?? '', 'latin1').toString('utf8')) };
  });
}

function pidsAbove(pid: number): number[] {
  const found: number[] = [];
  if (!hasProcTable()) return found;
  // Includes pid 1: in the run's own pid namespace, orphans become its children.
  for (let at = pid; at >= 1; at = readProcEntry(at)?.ppid ?? 0) found.push(at);
  return found;
}

function environFile(pid: number): string {
  return `/proc/${pid}/environ`;
}

function entriesIn(text: string): ReadonlyMap<string, string> {
  const entries = text.split('\0').filter((entry) => entry.includes('='));
  return new Map(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
