// Processes on systems without /proc. The parts for macOS run on any system with `ps`; those for Windows are only
// parsed.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readProcTable } from './proc-table.ts';
import { endWithoutTable } from './process-tree.ts';
import {
  killTreeQuestion,
  parsePsTable,
  readPsTable,
  readStartTime,
  startTimeQuestion,
} from './without-proc.ts';

const hasPs = readPsTable().length > 0;
if (!hasPs) process.stderr.write('NOT TESTED: processes by `ps`; this machine has none.\n');

describe('processes without /proc', () => {
  it('Each operating system lists its processes with a program that it has', () => {
    expect(startTimeQuestion(7, 'darwin')).toEqual(['ps', '-o', 'lstart=', '-p', '7']);
    expect(startTimeQuestion(7, 'win32').at(-1)).toBe('(Get-Process -Id 7).StartTime.ToFileTimeUtc()');
    expect(killTreeQuestion(7)).toEqual(['taskkill.exe', '/PID', '7', '/T', '/F']);
  });

  it('Lines of `ps` are read as macOS and Linux print them', () => {
    const text =
      '    1     0     1 Tue Nov 17 09:12:01 2026    \n  501   1   501 Tue Nov  3 09:12:01 2026\n\nbroken\n';
    expect(parsePsTable(text)).toEqual([
      { pid: 1, ppid: 0, pgid: 1, session: 0, startTime: 'Tue Nov 17 09:12:01 2026' },
      { pid: 501, ppid: 1, pgid: 501, session: 0, startTime: 'Tue Nov  3 09:12:01 2026' },
    ]);
  });

  it.runIf(hasPs)(
    'The start time of a process is the same each time, and a process that is gone has none',
    async () => {
      const child = spawn('sleep', ['300'], { stdio: 'ignore' });
      const pid = child.pid ?? 0;
      const first = readStartTime(pid, 'darwin');
      expect(first).not.toBeNull();
      await sleep(1_100);
      expect(readStartTime(pid, 'darwin')).toBe(first);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      expect(readStartTime(pid, 'darwin')).toBeNull();
    },
  );

  it.runIf(hasPs)('A process tree is ended with detached processes and those that ignore TERM', async () => {
    const script = 'setsid sh -c \'trap "" TERM; sleep 304.71\' & trap "" TERM; sleep 304.72';
    const child = spawn('sh', ['-c', script], { stdio: 'ignore', detached: true });
    const pid = child.pid ?? 0;
    const others = () => readPsTable().filter((entry) => entry.ppid === pid);
    await expect.poll(() => others().length).toBe(2);
    const started = [pid, ...others().map((entry) => entry.pid)];
    await endWithoutTable(pid, 200, 'darwin');
    await expect.poll(() => readProcTable().filter((entry) => started.includes(entry.pid))).toEqual([]);
  });

  it.runIf(hasPs)('A process outside the tree is not ended', async () => {
    const other = spawn('sleep', ['304.73'], { stdio: 'ignore', detached: true });
    const child = spawn('sleep', ['304.74'], { stdio: 'ignore', detached: true });
    await endWithoutTable(child.pid ?? 0, 200, 'darwin');
    expect(readPsTable().some((entry) => entry.pid === other.pid)).toBe(true);
    other.kill('SIGKILL');
  });
});
