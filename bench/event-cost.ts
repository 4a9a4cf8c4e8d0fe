// Measures the cost of one more event in a short and in a long run, and of reading the long one.
import { readFileSync } from 'node:fs';
import { replay } from '#kernel/fold/apply.ts';
import { jsonOffset } from '#adapters/store/journal/line.ts';
import type { Benchmark, Line } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import { sampleStore, startRun } from './sample-store.ts';

const batch = 100;
const rounds = 40;

export const eventCost: Benchmark = ({ folder, scale }) =>
  inFolder(folder, async (place) => {
    const { store, paths } = sampleStore(place);
    const short = await startRun(store, 'short');
    const long = await startRun(store, 'long');
    await long.grow(sizeAt(scale, 100_000, 1_000) - long.run.events);
    await short.grow(1_000 - short.run.events);
    const times: { short: number[]; long: number[] } = { short: [], long: [] };
    for (let round = 0; round < rounds; round += 1) {
      times.short.push(await timeMs(() => short.grow(batch)));
      times.long.push(await timeMs(() => long.grow(batch)));
    }
    await short.journal.close();
    await long.journal.close();
    const perEvent: Line = {
      name: 'recording an event after 100,000, against after 1,000',
      measured: (median(times.long) * 1_000) / batch,
      raw: (median(times.short) * 1_000) / batch,
      unit: 'µs',
      gate: 1.2,
    };
    return [perEvent, await replayCost(() => store.read('long'), paths.run('long').journal)];
  });

async function replayCost(
  read: () => Promise<{ events: Parameters<typeof replay>[0] }>,
  file: string,
): Promise<Line> {
  const ours: number[] = [];
  const parsing: number[] = [];
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(jsonOffset));
  for (let round = 0; round < 7; round += 1) {
    parsing.push(await timeMs(() => parseAll(lines)));
    ours.push(await timeMs(async () => replay((await read()).events)));
  }
  return {
    name: 'replay of 100,000 events, against JSON.parse of their lines',
    measured: median(ours),
    raw: median(parsing),
    unit: 'ms',
    gate: 5,
  };
}

/** Keeps what it parsed, as a replay has to. */
function parseAll(lines: readonly string[]): unknown[] {
  return lines.map((line): unknown => JSON.parse(line));
}
