// Mounts the machine read-only before anything is hidden. Kernel files are read-only, and some are hidden.
import { existsSync } from 'node:fs';

/**
 * Root owns these files, and many containers run as root: an owner may write them whatever rights were
 * dropped. One of them names the program that the kernel starts, outside of every sandbox, after a crash.
 */
const fixed = ['sys', 'irq', 'bus', 'fs', 'mtrr', 'scsi', 'acpi', 'asound', 'driver', 'pressure'];
/** They reveal data of the machine and of other users' processes. */
const unseen = (
  'kcore keys key-users timer_list sched_debug latency_stats slabinfo vmallocinfo kpagecgroup kpagecount ' +
  'kpageflags'
).split(' ');

/** Arguments of bubblewrap: the whole machine, read-only. */
export function machineFiles(): string[] {
  return ['--ro-bind', '/', '/', '--dev', '/dev', ...kernelFiles()];
}

/** A new `/proc` hides processes outside and shows everything else unchanged. */
function kernelFiles(): string[] {
  const there = (names: readonly string[]): string[] =>
    names.map((name) => `/proc/${name}`).filter((path) => existsSync(path));
  return [
    '--proc',
    '/proc',
    ...there(fixed).flatMap((path) => ['--ro-bind', path, path]),
    ...there(unseen).flatMap((path) => ['--ro-bind', '/dev/null', path]),
  ];
}
