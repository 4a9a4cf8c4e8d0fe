// Which processes listen at an address of ours, as the kernel tells it: nobody can claim to be another one.
import { hasProcTable, livingPids, readProcText, socketsOf } from '#adapters/processes/proc-table.ts';

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
  const text = readProcText('/proc/net/unix');
  if (text === null) return null;
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, , , flags = '', , , inode, path = ''] = line.split(/ +/);
    if (inode === undefined || !path.startsWith('@untildone-')) continue;
    if ((Number.parseInt(flags, 16) & acceptsFlag) !== 0) found.set(`\0${path.slice(1)}`, inode);
  }
  return found;
}

function holdersOf(inodes: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const pid of livingPids())
    for (const inode of socketsOf(pid).intersection(inodes))
      found.set(inode, [...(found.get(inode) ?? []), pid]);
  return found;
}
