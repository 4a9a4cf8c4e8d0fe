// Measures the `watch` process: memory and processor time with 1,000 parked runs, and the cost of each run.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { createWakeEntry, wakeFolder } from '#adapters/waiting/wake-file.ts';
import type { Condition } from '#kernel/waiting/condition.ts';
import type { Line } from './measure.ts';
import { sizeAt } from './measure.ts';
import { makeRepository, type Repository, startProgram } from './program.ts';

const yearMs = 365 * 86_400_000;
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

/** Times far away, and every fifth a file that never appears. */
function conditionOf(index: number, folder: string): Condition {
  return index % 5 === 0
    ? { kind: 'file', path: join(folder, `never-${index}`) }
    : { kind: 'time', at: Date.now() + yearMs + index };
}

export async function measureWatch(folder: string, scale: number, program: string): Promise<Line[]> {
  const repository = makeRepository(folder);
  const count = sizeAt(scale, 1000, 20);
  await park(repository, folder, count);
  const child = startProgram(program, repository, ['watch']);
  try {
    await pause(sizeAt(scale, 10_000, 1_500));
    if (child.pid === undefined || child.exitCode !== null) throw new Error('`watch` ended by itself');
    const [before, startedAt] = [cpuMs(child.pid), performance.now()];
    await pause(sizeAt(scale, 30_000, 1_000));
    const percent = ((cpuMs(child.pid) - before) / (performance.now() - startedAt)) * 100;
    const name = '`watch` with 1,000 parked runs:';
    return [
      {
        name: `${name} percent of a core`,
        measured: percent,
        raw: null,
        unit: '%',
        gate: 1.5,
      },
      {
        name: `${name} memory`,
        measured: residentMb(child.pid),
        raw: null,
        unit: 'MB',
        gate: 80,
      },
      {
        name: `${name} processes that they need`,
        measured: childrenOf(child.pid),
        raw: null,
        unit: 'processes',
        gate: 0,
      },
    ];
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

/** As their drivers left them: the journals are not opened before something is due. */
async function park({ root, stateHome }: Repository, folder: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const known = { runId: `run-${index}`, repoId: '0123456789abcdef', root, needs: [], mayWake: true };
    const entry = createWakeEntry(stateHome, known);
    const [suspensionId, since] = [`k-${index}`, Date.now()];
    const condition = conditionOf(index, folder);
    entry.save({
      awaited: [
        { kind: 'suspension', suspensionId, condition, isApproved: false, since },
        { kind: 'reminder', suspensionId, at: since + yearMs },
      ],
      waitingFor: 'later',
    });
    await entry.close();
  }
  const written = readdirSync(wakeFolder(stateHome)).length;
  if (written !== count) throw new Error(`${written} wake files of ${count} were written`);
}

function cpuMs(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * tickMs;
}

function residentMb(pid: number): number {
  const [, kb = 'NaN'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1000;
}

function childrenOf(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length;
}
