// Which processes listen at an address of ours, as the kernel tells it: nobody can claim to be another one.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hasProcTable } from '#adapters/processes/proc-table.ts';

export interface Listener {
  /** Names the socket for as long as it lives. */
  readonly inode: string;
  /** Everybody who holds it: its maker, and whoever it was left or given to. */
  readonly pids: readonly number[];
}

/** Null where the system does not tell. */
export function seeListeners(): ReadonlyMap<string, Listener> | null {
  const inodes = hasProcTable() ? listening() : null;
  if (inodes === null) return null;
  const pids = inodes.size === 0 ? new Map<string, number[]>() : holdersOf(new Set(inodes.values()));
  return new Map([...inodes].map(([address, inode]) => [address, { inode, pids: pids.get(inode) ?? [] }]));
}

/** Set for a socket that waits for connections. */
const acceptsFlag = 0x10000;

function listening(): Map<string, string> | null {
  let text = '';
  try {
    text = readFileSync('/proc/net/unix', 'latin1');
  } catch {
    return null;
  }
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, , , flags = '', , , inode, path = ''] = line.split(/ +/);
    if (inode === undefined || !path.startsWith('@untildone-')) continue;
    if ((Number.parseInt(flags, 16) & acceptsFlag) !== 0) found.set(`\0${path.slice(1)}`, inode);
  }
  return found;
}

function holdersOf(inodes: ReadonlySet<string>): Map<string, number[]> {
  const links = new Map([...inodes].map((inode) => [`socket:[${inode}]`, inode]));
  const found = new Map<string, number[]>();
  for (const entry of namesIn('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const held = new Set<string>();
    for (const fd of namesIn(`/proc/${pid}/fd`)) {
      const inode = links.get(linkOf(`/proc/${pid}/fd/${fd}`));
      if (inode !== undefined) held.add(inode);
    }
    for (const inode of held) found.set(inode, [...(found.get(inode) ?? []), pid]);
  }
  return found;
}

/** Empty for a process that is gone or is not ours to look at. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
