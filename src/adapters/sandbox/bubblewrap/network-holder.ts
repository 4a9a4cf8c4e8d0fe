// The process that keeps a network: a bridge in a bubblewrap of its own. It ends with us.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
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
  /** Whether nothing has passed through the network, and nothing was left in it. False if that cannot be known. */
  isAsNew(): boolean;
  /** Contract: never throws. */
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
  const isGone = (): boolean =>
    child.exitCode !== null ||
    child.signalCode !== null ||
    child.pid === undefined ||
    readProcEntry(child.pid) === null;
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
    isAsNew: () =>
      joined !== null && !isGone() && joined.traces !== null && tracesIn(joined.pid) === joined.traces,
    close() {
      const { pid, exitCode, signalCode } = child;
      const hasExited = exitCode !== null || signalCode !== null;
      // With its group: bubblewrap ends its child only when both have started. Later the number may be another's.
      if (pid !== undefined && !hasExited) orElse(() => process.kill(-pid, 'SIGKILL'), false);
      child.stdin?.destroy();
      for (const file of joined?.files ?? []) orElse(() => closeSync(file), undefined);
      joined = null;
      orElse(() => rmSync(folder, { recursive: true, force: true }), undefined);
    },
  };
}

function start({ bubblewrap, namespaces, bridge }: HolderOptions, folder: string): ChildProcess {
  const files = ['port', 'info'].map((name) => openSync(join(folder, name), 'w'));
  const [port, info] = files;
  // A new /dev would take a second user namespace, whose members could not enter the network.
  const mounts = '--unshare-net --ro-bind / / --dev-bind /dev /dev --proc /proc --'.split(' ');
  try {
    const child = spawn(bubblewrap, ['--info-fd', '3', ...namespaces, ...mounts, ...bridge], {
      cwd: '/',
      env: {},
      // Ctrl-C is for the driver.
      detached: true,
      // The end of this pipe ends the bridge, also if we are killed before bubblewrap watches us.
      stdio: ['pipe', port, 'ignore', info],
    });
    // A bubblewrap that does not start is no network.
    child.on('error', () => {});
    child.stdin?.on('error', () => {});
    (child.stdin as Socket | null)?.unref();
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
  /** Null if they cannot be read. */
  readonly traces: string | null;
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
    traces: tracesIn(pid),
  };
}

/**
 * What programs leave in a network: bytes that passed, sockets, connections that are still closing, and labels
 * of flows. Counts, because the lists of sockets take the kernel 20 ms.
 */
function tracesIn(pid: number): string | null {
  const [passed, sockets, named] = ['dev', 'sockstat', 'unix'].map((name) => netFile(pid, name));
  if (passed === null || sockets === null || named === null) return null;
  // A kernel may lack these.
  const others = ['sockstat6', 'ip6_flowlabel', 'packet', 'netlink'].map((name) => netFile(pid, name) ?? '');
  const lines = [named, ...others].map((text) => text?.split('\n').length);
  const counts = [sockets, ...others].map((text) => text?.match(/^\w+:|\b(?:inuse|tw) \d+/gm)?.join(' '));
  return [passed, ...lines, ...counts].join('\n');
}

function netFile(pid: number, name: string): string | null {
  return readProcText(`/proc/${pid}/net/${name}`);
}

/** Blocks: a program is wrapped at once, and its bridge would take as long. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}
