import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Living processes that name this folder in their command line or work in it. */
export function livingIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => isIn(pid, folder));
}

function isIn(pid: number, folder: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    if ('ZXx'.includes(stat.charAt(stat.lastIndexOf(')') + 2))) return false;
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder) || cwdOf(pid).startsWith(folder);
  } catch {
    return false; // It went meanwhile.
  }
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
