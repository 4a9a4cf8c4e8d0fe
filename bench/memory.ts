// The memory of the program and of its session hosts together, looked at every few milliseconds. Linux only.
import { readFileSync } from 'node:fs';

const everyMs = 10;

export interface MemoryWatch {
  /** The most that was seen at one moment, in MB of resident memory. */
  stop(): number;
}

/** What an agent starts is below the host and is not counted. */
export function watchMemory(driverPid: number): MemoryWatch {
  let peakKb = 0;
  const timer = setInterval(() => {
    const pids = [driverPid, ...childrenOf(driverPid).filter(isHost)];
    peakKb = Math.max(
      peakKb,
      pids.reduce((sum, pid) => sum + residentKb(pid), 0),
    );
  }, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return peakKb / 1024;
    },
  };
}

function childrenOf(pid: number): number[] {
  const text = quietly(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function isHost(pid: number): boolean {
  return /host(\.js|\/main\.ts)/.test(quietly(`/proc/${pid}/cmdline`));
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(quietly(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** A process may be gone before it is looked at. */
function quietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
