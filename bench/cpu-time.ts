// Measures the processor time of a command with all processes below it, also those that nobody waits for.
// `getrusage` and /proc/PID/stat do not count what runs inside of bubblewrap.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

export interface CpuMeter {
  /** Starts the command so that it can be measured; it ends with the exit code of the command. */
  wrap(command: readonly string[]): readonly string[];
  /** Of the command that was wrapped last. Contract: it has ended. */
  readMs(): number;
  close(): void;
}

export type CpuMeterSearch = { readonly meter: CpuMeter } | { readonly problem: string };

/** Tries each way with a real command. */
export function findCpuMeter(folder: string): CpuMeterSearch {
  for (const make of [() => perfMeter(folder), cgroupMeter]) {
    const meter = make();
    if (meter === null) continue;
    if (isWorking(meter)) return { meter };
    meter.close();
  }
  return { problem: 'neither `perf stat` nor a cgroup (version 2) can be used here' };
}

function isWorking(meter: CpuMeter): boolean {
  try {
    const [file = '', ...args] = meter.wrap([process.execPath, '-e', 'process.exit(42)']);
    return spawnSync(file, args, { stdio: 'ignore' }).status === 42 && meter.readMs() > 1;
  } catch {
    return false;
  }
}

/** The kernel adds the time of each descendant, whether or not somebody waited for it. */
function perfMeter(folder: string): CpuMeter {
  const file = join(folder, 'perf.txt');
  return {
    wrap: (command) => ['perf', 'stat', '-x', ';', '-e', 'task-clock', '-o', file, '--', ...command],
    readMs: () => Number(/^([\d.]+);msec;task-clock/m.exec(readFileSync(file, 'utf8'))?.[1]),
    close: () => {},
  };
}

function cgroupMeter(): CpuMeter | null {
  try {
    const folder = makeGroup();
    const total = (): number =>
      Number(/^usage_usec (\d+)/m.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1]) / 1_000;
    let before = total();
    return {
      wrap: (command) => {
        before = total();
        const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"';
        return ['sh', '-c', enter, folder, ...command];
      },
      readMs: () => total() - before,
      close: () => rmdirSync(folder),
    };
  } catch {
    return null;
  }
}

/** Below our own group, where a user may have the right to make one. */
function makeGroup(): string {
  const mounts = readFileSync('/proc/self/mounts', 'utf8');
  const mount = /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1] ?? '';
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '';
  const folder = join(mount, own, `untildone-bench-${process.pid}`);
  mkdirSync(folder);
  return folder;
}
