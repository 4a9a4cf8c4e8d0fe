// The driver's side: fetches a decision from the living process that asks for it, and checks that process.
import { connect, type Socket } from 'node:net';
import { isAddress } from './address.ts';
import { recordedLine } from './offer.ts';
import { hasProcTable, livingPids, readProcText, socketsOf } from '#adapters/processes/proc-table.ts';

/** Why a process is not a person's; null if there is no objection. */
export type Judge = (pid: number) => string | null | Promise<string | null>;

export type Collected =
  | {
      readonly text: string;
      /** Reports to the process that the journal has it. */
      settle(): void;
      drop(): void;
    }
  | { readonly doubt: string };

/** A person's command answers at once; a stopped one must not block the driver. */
const msMax = 3_000;
/** Bytes; the limit of an inbox. */
const sizeMax = 1 << 20;

/** One round: scans all processes once, and once more for each trusted request. */
export function startCollecting(judge: Judge): (address: string) => Promise<Collected> {
  let before: ReturnType<typeof seeListeners> | undefined;
  const doubted = new Map<string, string>();
  return async (address) => {
    if (!isAddress(address)) return { doubt: gone };
    if (before === undefined) before = seeListeners();
    if (before === null) return fetchFrom(address);
    const listener = before.get(address);
    const doubt = doubted.get(address) ?? (await doubtAbout(listener, judge));
    if (doubt === null) return collectFrom(address, listener, judge);
    if (listener !== undefined && !doubted.has(address)) tell(address, doubt);
    doubted.set(address, doubt);
    return { doubt };
  };
}

async function collectFrom(
  address: string,
  listener: Listener | undefined,
  judge: Judge,
): Promise<Collected> {
  const fetched = await fetchFrom(address);
  if ('doubt' in fetched) return fetched;
  // The address may have a new owner meanwhile: it must be the same socket with a trusted owner.
  const now = seeListeners()?.get(address);
  const doubt = now?.inode === listener?.inode ? await doubtAbout(now, judge) : gone;
  if (doubt === null) return fetched;
  fetched.drop();
  return { doubt };
}

const gone = 'the requesting process ended before the request was handled';

async function doubtAbout(listener: Listener | undefined, judge: Judge): Promise<string | null> {
  if (listener === undefined || listener.pids.length === 0) return gone;
  for (const pid of listener.pids) {
    const why = await judge(pid);
    if (why !== null) return why;
  }
  return null;
}

async function fetchFrom(address: string): Promise<Collected> {
  const socket = connect({ path: address });
  socket.on('error', () => {});
  const drop = (): void => void socket.destroy();
  const text = await firstLine(socket);
  if (text === null) {
    drop();
    return { doubt: gone };
  }
  socket.unref();
  return { text, drop, settle: () => socket.end(`${recordedLine}\n`) };
}

/** Null if it does not come in time. */
function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => resolve(null), msMax);
    const end = (line: string | null): void => {
      clearTimeout(timer);
      resolve(line);
    };
    socket.setEncoding('utf8');
    socket.on('close', () => end(null));
    socket.on('data', (piece: string) => {
      text += piece;
      const at = text.indexOf('\n');
      if (at !== -1) end(text.slice(0, at));
      else if (text.length > sizeMax) end(null);
    });
  });
}

/** Not awaited: the process may be untrusted. */
function tell(address: string, doubt: string): void {
  const socket = connect({ path: address });
  socket.unref();
  socket.on('error', () => {});
  socket.on('data', () => {});
  socket.end(`${doubt}\n`);
}

interface Listener {
  /** Identifies the socket while it lives. */
  readonly inode: string;
  /** All processes that hold it: its creator, and those that inherited or received it. */
  readonly pids: readonly number[];
}

/** Listeners at our addresses, as the kernel shows them, so it cannot be faked. Null if it does not. */
function seeListeners(): ReadonlyMap<string, Listener> | null {
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
