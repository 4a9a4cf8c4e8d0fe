// The processes above one, each with the environment that it was started with: what it changed since does not count.
import { readFileSync } from 'node:fs';
import { hasProcTable, readProcEntry } from './proc-table.ts';
import { readProcFiles, type ReadFiles } from './read-proc-files.ts';
import { orElse } from '#base/or-else.ts';

export interface Ancestor {
  readonly pid: number;
  /** Empty where it is not ours to look at. */
  readonly env: ReadonlyMap<string, string>;
  /** It did not show its environment in time: what it was started with is not known. */
  readonly isHidden?: true;
}

/**
 * Nearest first, beginning with `pid` itself; empty where the system tells nothing of processes. Waits for a process that holds
 * its memory: for a command that looks at what is above itself.
 */
export function ancestorsOf(pid: number): Ancestor[] {
  return pidsAbove(pid).map((at) => ({
    pid: at,
    env: entriesIn(orElse(() => readFileSync(environFile(at), 'utf8'), '')),
  }));
}

/** The same for a driver, which no process may hold. */
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
  // The first process counts too: where a run has a pid namespace of its own, orphans end up below that one.
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
