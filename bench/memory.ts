// Samples the memory of the program and of its session hosts every few milliseconds. Linux only.
import { readFileSync } from 'node:fs';

const everyMs = 10;

export interface MemoryWatch {
  /** The highest sample, in MB of resident memory. */
  stop(): number;
}

/** Processes that an agent starts are below the host and are not counted. */
export function watchMemory(driverPid: number): MemoryWatch {
  return watch(() => [driverPid, ...hostsOf(driverPid)].reduce((sum, pid) => sum + residentKb(pid), 0));
}

/** The program alone, by the kernel's own record of its peak. */
export function watchDriver(driverPid: number): MemoryWatch {
  return watch(() => peakKb(driverPid));
}

/** The host with the highest peak, by the kernel's own record: nothing is missed between two samples. */
export function watchHosts(driverPid: number): MemoryWatch {
  return watch(() => Math.max(0, ...hostsOf(driverPid).map(peakKb)));
}

function watch(lookKb: () => number): MemoryWatch {
  let mostKb = 0;
  const timer = setInterval(() => {
    mostKb = Math.max(mostKb, lookKb());
  }, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return mostKb / 1024;
    },
  };
}

function hostsOf(pid: number): number[] {
  const text = quietly(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number).filter(isHost);
}

function isHost(pid: number): boolean {
  return /host(\.js|\/main\.ts)/.test(quietly(`/proc/${pid}/cmdline`));
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(quietly(`/proc/${pid}/status`))?.[1] ?? 0);
}

export function peakKb(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(quietly(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** A process may be gone before it is read. */
export function quietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
