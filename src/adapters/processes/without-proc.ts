// Finds living processes on systems without /proc, with the programs of those systems.
import { spawnSync } from 'node:child_process';
import type { ProcEntry } from './proc-table.ts';

type Question = readonly [string, ...string[]];

/** Prints the start time of a process in a stable form; with the pid it identifies the process. */
export function startTimeQuestion(pid: number, platform: string): Question {
  if (platform === 'win32')
    return [
      'powershell.exe',
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`,
    ];
  return ['ps', '-o', 'lstart=', '-p', String(pid)];
}

/** Ends a process and its descendants. Windows has no signals, so there is no earlier request. */
export function killTreeQuestion(pid: number): Question {
  return ['taskkill.exe', '/PID', String(pid), '/T', '/F'];
}

const tableQuestion: Question = ['ps', '-A', '-o', 'pid=,ppid=,pgid=,lstart='];

/** Null for a process that is gone, or if the system does not show it. */
export function readStartTime(pid: number, platform: string = process.platform): string | null {
  const output = ask(startTimeQuestion(pid, platform));
  return output === null || output.trim() === '' ? null : output.trim();
}

/** Empty if the system does not show it. */
export function readPsTable(): ProcEntry[] {
  return parsePsTable(ask(tableQuestion) ?? '');
}

export function parsePsTable(text: string): ProcEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, ppid, pgid, startTime] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    if (pid === undefined || startTime === undefined) return [];
    return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), session: 0, startTime }];
  });
}

export function runKillTree(pid: number): void {
  ask(killTreeQuestion(pid));
}

function ask([file, ...args]: Question): string | null {
  // One language and time zone, so that every caller reads the same start time.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const { status, stdout } = spawnSync(file, args, {
    env,
    encoding: 'utf8',
    timeout: 20_000,
    windowsHide: true,
  });
  return status === 0 ? stdout : null;
}
