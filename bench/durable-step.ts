// Measures a durable step: its start and its end, each on disk before anything follows.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { apply } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import { encodeEntry } from '#adapters/store/journal/journal.ts';
import { encodeLine } from '#adapters/store/journal/line.ts';
import type { Benchmark } from './measure.ts';
import { inFolder, median, sizeAt, timeMs } from './measure.ts';
import { sessionOperation, sessionResult, stepOf } from './sample-run.ts';
import { sampleStore, startRun } from './sample-store.ts';

/** Against the cheapest raw way: two synchronous writes, each with its fdatasync, on an open descriptor. */
export const durableStep: Benchmark = ({ folder, scale }) =>
  inFolder(folder, async (place) => {
    const { journal, run, grow } = await startRun(sampleStore(place).store, 'sample');
    await grow(3);
    const raw = openSync(join(place, 'raw.jsonl'), 'a');
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let n = 1; n <= sizeAt(scale, 1_000, 1) + 100; n += 1) {
      const pair = stepEvents(n, run.now);
      const lines = pair.map((event) => encodeLine(encodeEntry(n, 1, [event])));
      const rawMs = await timeMs(() => {
        for (const line of lines) {
          writeSync(raw, line);
          fdatasyncSync(raw);
        }
      });
      const ourMs = await timeMs(async () => {
        for (const event of pair) {
          await journal.append([event], { sync: true });
          apply(run, event);
        }
      });
      if (n <= 100) continue; // Warming up.
      ours.push(ourMs);
      theirs.push(rawMs);
    }
    closeSync(raw);
    await journal.close();
    return [
      {
        name: 'durable step (start + end), p50, against two raw append + fdatasync',
        measured: median(ours),
        raw: median(theirs),
        unit: 'ms',
        gate: 2.5,
      },
    ];
  });

function stepEvents(n: number, at: number): readonly [Event, Event] {
  const stepId = `durable-${n}`;
  return [
    { at, type: 'step-started', step: stepOf(stepId, 'task-0', sessionOperation(n)) },
    { at, type: 'step-ended', stepId, result: sessionResult(n) },
  ];
}
