// The process that keeps a network: a bridge in a bubblewrap of its own. It ends with us.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { orElse } from '#base/or-else.ts';
import { readProcEntry, readProcText } from '#adapters/processes/proc-table.ts';

export interface HolderOptions {
  readonly bubblewrap: string;
  /** Arguments of bubblewrap: namespaces and user, without the network. */
  readonly namespaces: readonly string[];
  /** A bridge without a program: it prints the port of its proxy and stays. */
  readonly bridge: readonly string[];
  /** For files of the holder. */
  readonly folder: string;
}

export interface NetworkHolder {
  /** Waits until the bridge listens; null if it does not in time. */
  network(): Network | null;
  isGone(): boolean;
  /** Whether the network has only the sockets of its start. */
  isAsNew(): boolean;
  close(): void;
}

export interface Network {
  readonly proxyPort: number;
  /** Arguments of nsenter. They name open files: another process may get the pid of a holder that died. */
  readonly namespaces: readonly string[];
}

/** A Node process starts in about 50 ms, on a very busy machine in seconds. */
const startMsMax = 5_000;

export function startNetworkHolder(options: HolderOptions): NetworkHolder {
  const folder = mkdtempSync(join(options.folder, 'holder-'));
  const child = start(options, folder);
  const deadline = performance.now() + startMsMax;
  let joined: Joined | null = null;
  const isGone = (): boolean => child.pid === undefined || readProcEntry(child.pid) === null;
  return {
    network() {
      while (joined === null && !isGone()) {
        joined = joinable(folder);
        if (joined !== null || performance.now() > deadline) break;
        pause();
      }
      return joined;
    },
    isGone,
    isAsNew: () => joined !== null && !isGone() && socketsOf(joined.pid) === joined.sockets,
    close() {
      child.kill('SIGKILL');
      for (const file of joined?.files ?? []) closeSync(file);
      joined = null;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start({ bubblewrap, namespaces, bridge }: HolderOptions, folder: string): ChildProcess {
  const files = ['port', 'info'].map((name) => openSync(join(folder, name), 'w'));
  const [port, info] = files;
  const mounts = '--unshare-net --ro-bind / / --dev /dev --proc /proc --'.split(' ');
  try {
    const child = spawn(bubblewrap, ['--info-fd', '3', ...namespaces, ...mounts, ...bridge], {
      cwd: '/',
      env: {},
      // Ctrl-C is for the driver.
      detached: true,
      stdio: ['ignore', port, 'ignore', info],
    });
    // A bubblewrap that does not start is no network.
    child.on('error', () => {});
    child.unref();
    return child;
  } finally {
    for (const file of files) closeSync(file);
  }
}

interface Joined extends Network {
  readonly pid: number;
  /** The user namespace and the network. */
  readonly files: readonly number[];
  readonly sockets: string;
}

/** Null as long as the bridge does not listen. */
function joinable(folder: string): Joined | null {
  const text = (name: string): string => readProcText(join(folder, name)) ?? '';
  const proxyPort = Number(/^(\d+)\n/.exec(text('port'))?.[1]);
  const numberOf = (name: string): number =>
    Number(new RegExp(`"${name}":\\s*(\\d+)`).exec(text('info'))?.[1]);
  const pid = numberOf('child-pid');
  if (Number.isNaN(proxyPort) || Number.isNaN(pid)) return null;
  const files: number[] = [];
  const isOpen = orElse(() => {
    for (const name of ['user', 'net']) files.push(openSync(`/proc/${pid}/ns/${name}`, 'r'));
    return true;
  }, false);
  const [user, net] = files;
  if (
    !isOpen ||
    user === undefined ||
    net === undefined ||
    fstatSync(net).ino !== numberOf('net-namespace')
  ) {
    for (const file of files) closeSync(file);
    return null;
  }
  const pathOf = (file: number): string => `/proc/${process.pid}/fd/${file}`;
  return {
    proxyPort,
    namespaces: [`--user=${pathOf(user)}`, `--net=${pathOf(net)}`],
    pid,
    files,
    sockets: socketsOf(pid),
  };
}

/**
 * Counts of the sockets in the network of a process, with connections that are still closing. The lists
 * themselves take the kernel 20 ms.
 */
function socketsOf(pid: number): string {
  const lists = ['unix', 'packet', 'netlink'].map((name) => textOf(pid, name).split('\n').length);
  const counts = ['sockstat', 'sockstat6'].map((name) =>
    (textOf(pid, name).match(/^\w+:|\b(?:inuse|tw) \d+/gm) ?? []).join(' '),
  );
  return [...lists, ...counts].join(' ');
}

function textOf(pid: number, name: string): string {
  return readProcText(`/proc/${pid}/net/${name}`) ?? '';
}

/** Blocks: a program is wrapped at once, and its bridge would take as long. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}
