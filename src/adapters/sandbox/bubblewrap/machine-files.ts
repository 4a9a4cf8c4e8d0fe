// The machine as a program inside finds it before anything is hidden; the files of its kernel are to be read, never to be set, and some not at all.
import { existsSync } from 'node:fs';

/**
 * Owned by root, and root is whom many containers run as: what it owns it may write, whatever rights were dropped. One of them names the
 * program that the kernel starts, outside of everything, when something crashes.
 */
const fixed = ['sys', 'irq', 'bus', 'fs', 'mtrr', 'scsi', 'acpi', 'asound', 'driver', 'pressure'];
/** They tell of the machine and of other people's processes. */
const unseen = (
  'kcore keys key-users timer_list sched_debug latency_stats slabinfo vmallocinfo kpagecgroup kpagecount ' +
  'kpageflags'
).split(' ');

/** Arguments of bubblewrap: the whole machine to be read, before anything of it is hidden or shown otherwise. */
export function machineFiles(): string[] {
  return ['--ro-bind', '/', '/', '--dev', '/dev', ...kernelFiles()];
}

/** A new `/proc` shows only processes inside, and everything else as it is. */
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
