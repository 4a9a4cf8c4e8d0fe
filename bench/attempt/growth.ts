// What the gap between two sessions grows with: files, earlier attempts, and other processes of the machine.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { median, sizeAt } from '../measure.ts';
import type { BenchOptions, Line } from '../measure.ts';
import { gapsOf, makeBed } from './bed.ts';
import type { Bed } from './bed.ts';
import { runAttempts } from './runs.ts';

const roundsMax = 3;
const attemptsPerRun = 4;

interface Gaps {
  readonly few: number[];
  /** With few files. */
  readonly amongOthers: number[];
  readonly many: number[];
}

export async function growthLines({ folder, program, scale }: BenchOptions): Promise<Line[]> {
  const sizes = {
    few: sizeAt(scale, 500, 100),
    many: sizeAt(scale, 50_000, 500),
    others: sizeAt(scale, 300, 30),
  };
  const bed = (files: number): Bed =>
    makeBed({ place: folder, name: `files-${files}`, program, sandbox: 'none', scale, files });
  const beds = { few: bed(sizes.few), many: bed(sizes.many) };
  const gaps: Gaps = { few: [], amongOthers: [], many: [] };
  for (let round = 0; round < sizeAt(scale, roundsMax, 1); round += 1) {
    gaps.few.push(...(await gapsIn(beds.few, scale)));
    gaps.amongOthers.push(...(await amongIdle(sizes.others, () => gapsIn(beds.few, scale))));
    gaps.many.push(...(await gapsIn(beds.many, scale)));
  }
  return [filesLine(gaps, sizes), await attemptsLine(beds.few, scale), processesLine(gaps, sizes)];
}

async function gapsIn(bed: Bed, scale: number): Promise<number[]> {
  return gapsOf(await runAttempts(bed, sizeAt(scale, attemptsPerRun, 2)));
}

interface Sizes {
  readonly few: number;
  readonly many: number;
  readonly others: number;
}

function filesLine(gaps: Gaps, { few, many }: Sizes): Line {
  const [fewMs, manyMs] = [median(gaps.few), median(gaps.many)];
  return {
    name: 'gap between two sessions, for each 1,000 files (no sandbox)',
    measured: (manyMs - fewMs) / ((many - few) / 1_000),
    raw: null,
    unit: 'ms',
    gate: 10,
    aim: 4,
    note: `${Math.round(fewMs)} ms with ${few} files, ${Math.round(manyMs)} ms with ${many}`,
  };
}

function processesLine(gaps: Gaps, { others }: Sizes): Line {
  return {
    name: 'gap between two sessions among idle processes, against without them (no sandbox)',
    measured: median(gaps.amongOthers),
    raw: median(gaps.few),
    unit: 'ms',
    aim: 1.1,
    note: `${others} processes`,
  };
}

/** Of several neighbours, because one gap alone varies. */
const compared = 10;

async function attemptsLine(bed: Bed, scale: number): Promise<Line> {
  const attempts = sizeAt(scale, 101, 3);
  const gaps = gapsOf(await runAttempts(bed, attempts));
  const some = sizeAt(scale, compared, 1);
  return {
    name: 'gap between the last sessions of a long run, against its first ones (no sandbox)',
    measured: median(gaps.slice(-some)),
    raw: median(gaps.slice(0, some)),
    unit: 'ms',
    gate: 1.1,
    note: `${attempts} attempts, ${some} gaps at each end`,
  };
}

/** They end by themselves if we are killed. */
async function amongIdle<T>(count: number, act: () => Promise<T>): Promise<T> {
  const idle = Array.from({ length: count }, () => spawn('sleep', ['900'], { stdio: 'ignore' }));
  try {
    return await act();
  } finally {
    await Promise.all(idle.map(end));
  }
}

function end(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGKILL');
  return gone;
}
