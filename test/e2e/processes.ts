// Living processes, observed from outside the program through /proc.
import { readdirSync, readFileSync } from 'node:fs';

export interface Living {
  readonly pid: number;
  readonly ppid: number;
  readonly command: string;
}

/** Every living process that was started with this entry in its environment; zombies are dead. */
export function livingWith(entry: string): Living[] {
  return numbers('/proc').flatMap((pid) => {
    const environ = read(`/proc/${pid}/environ`);
    return `\0${environ}`.includes(`\0${entry}`) ? living(pid) : [];
  });
}

/** The session hosts of a driver. */
export function hostsOf(driver: number): number[] {
  return read(`/proc/${driver}/task/${driver}/children`)
    .trim()
    .split(/\s+/)
    .map(Number)
    .filter((pid) => pid > 0 && read(`/proc/${pid}/cmdline`).includes('host.js'));
}

export function isAlive(pid: number): boolean {
  return living(pid).length > 0;
}

export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // It went by itself.
  }
}

function living(pid: number): Living[] {
  const stat = read(`/proc/${pid}/stat`);
  const [state = 'X', ppid = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || 'ZXx'.includes(state)) return [];
  return [{ pid, ppid: Number(ppid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }];
}

function numbers(folder: string): number[] {
  return readdirSync(folder).map(Number).filter(Number.isInteger);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
