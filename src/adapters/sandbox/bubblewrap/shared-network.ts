// One network for programs that run one after the other: each joins the namespaces of a bridge. A bridge of
// its own would cost every program the start of a Node process.
import { spawnSync } from 'node:child_process';
import { inheritedFiles } from '#adapters/processes/inherited-files.ts';
import { hasProcTable } from '#adapters/processes/proc-table.ts';
import { findProgram } from '#adapters/processes/program.ts';
import { orElse } from '#base/or-else.ts';
import { type HolderOptions, type NetworkHolder, startNetworkHolder } from './network-holder.ts';

export interface SharedNetwork {
  /** Null if a program is in the network now, or if this machine lets no program join one. */
  lease(): NetworkLease | null;
  close(): void;
}

export interface NetworkLease {
  /** Starts the command that follows it inside the network. */
  readonly enter: readonly [string, ...string[]];
  /** Of the proxy, on the loopback address inside. */
  readonly proxyPort: number;
  /** Contract: called once, when every process of the program is gone; never throws. */
  end(): void;
}

export function openSharedNetwork(options: HolderOptions): SharedNetwork {
  const nsenter = findProgram('nsenter', process.env['PATH'], '/');
  if (!('path' in nsenter) || inheritedFiles() === null || !hasProcTable())
    return { lease: () => null, close: () => {} };
  let isClosed = false;
  let isBusy = false;
  let failures = 0;
  // A full disk or too many open files must not stop a program that has ended well.
  const start = (): NetworkHolder | null => orElse(() => startNetworkHolder(options), null);
  let holder = start();
  const renew = (): void => {
    holder?.close();
    holder = start();
  };
  const close = (): void => {
    isClosed = true;
    holder?.close();
  };
  return {
    lease() {
      if (isClosed || isBusy) return null;
      if (holder === null || holder.isGone()) renew();
      const network = holder?.network() ?? null;
      if (network === null) {
        failures += 1;
        if (failures === failuresMax) close();
        return null;
      }
      failures = 0;
      const enter = [nsenter.path, '--preserve-credentials', ...network.namespaces, '--'] as const;
      if (!canJoin(enter, options)) {
        close();
        return null;
      }
      isBusy = true;
      return {
        enter,
        proxyPort: network.proxyPort,
        end() {
          isBusy = false;
          // What is left over could disturb the next program, or tell it something.
          if (!isClosed && holder?.isAsNew() !== true) renew();
        },
      };
    },
    close,
  };
}

/** After that, each program has a bridge of its own. */
const failuresMax = 3;

let joins: boolean | undefined;

/** Tried once per process: some systems do not allow namespaces inside of namespaces. */
function canJoin(
  [file, ...enter]: NetworkLease['enter'],
  { bubblewrap, namespaces }: HolderOptions,
): boolean {
  if (joins === undefined) {
    const trial = [...enter, bubblewrap, ...namespaces, '--ro-bind', '/', '/', '/bin/sh', '-c', 'exit 42'];
    joins = spawnSync(file, trial, { stdio: 'ignore', timeout: 5_000 }).status === 42;
  }
  return joins;
}
