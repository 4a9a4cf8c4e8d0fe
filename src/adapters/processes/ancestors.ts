// The processes above one, each with the environment that it was started with: what it changed since does not count.
import { readFileSync } from 'node:fs';
import { hasProcTable, readProcEntry } from './proc-table.ts';

export interface Ancestor {
  readonly pid: number;
  /** Empty where it is not ours to look at. */
  readonly env: ReadonlyMap<string, string>;
}

/** Nearest first, beginning with `pid` itself; empty where the system tells nothing of processes. */
export function ancestorsOf(pid: number): Ancestor[] {
  const found: Ancestor[] = [];
  if (!hasProcTable()) return found;
  // The first process counts too: where a run has a pid namespace of its own, orphans end up below that one.
  for (let at = pid; at >= 1;) {
    found.push({ pid: at, env: environmentOf(at) });
    at = readProcEntry(at)?.ppid ?? 0;
  }
  return found;
}

function environmentOf(pid: number): ReadonlyMap<string, string> {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // Somebody else's, or gone by now.
  }
  const entries = text.split('\0').filter((entry) => entry.includes('='));
  return new Map(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}
