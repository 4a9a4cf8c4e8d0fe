// Drivers of suspended runs are killed at random moments: no wait is lost, and none ends twice.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Event, FactType } from '#kernel/events/events.ts';
import { howMany } from '#test/how-many.ts';
import { drivers, parkRun, past, worker } from './parked.ts';
import { makePlace } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

const kills = howMany({ usual: 7, long: 35 });
const killsAfterTheWait = howMany({ usual: 3, long: 15 });

it('A driver that is killed again and again while it waits and polls loses nothing, and the wait ends once [U2] [D1]', async () => {
  const place = makePlace();
  const flag = join(place.folder, 'green');
  const run = await parkRun(place, {
    condition: {
      kind: 'poll',
      command: `test -f '${flag}' || { sleep 0.1; false; }`,
      everyMs: 100,
      until: Date.now() + 3_600_000,
      timeoutMs: 60_000,
    },
  });
  for (let kill = 0; kill < kills; kill += 1) {
    const driver = place.start(['wake', run.runId]);
    // From before it takes the lock to some polls later.
    await sleep(100 + Math.random() * 1400);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
  }
  expect(countOf(run.events(), 'condition-met')).toBe(0);
  expect(existsSync(run.wakeFile)).toBe(true);
  const before = drivers(run);
  // Most kills come after the driver has taken the run.
  expect(before).toBeGreaterThan(0);
  writeFileSync(flag, '');
  await place.untildone(['wake', run.runId]);
  await run.ended();
  expect(drivers(run)).toBe(before + 1);
  expect(endOf(run.events())).toEqual(oneEnd);
});

it('A driver that is killed after its wait ended continues from there, and never waits again [U2] [D1]', async () => {
  const place = makePlace();
  const flags = worker(place);
  for (let kill = 0; kill < killsAfterTheWait; kill += 1) {
    const run = await parkRun(place, { condition: past(), flags });
    const driver = place.start(['wake', run.runId]);
    await until('the end of the wait', () => countOf(run.events(), 'condition-met') > 0, { stepMs: 2 });
    if (kill % 2 === 1) await sleep(Math.random() * 60);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    // From its first step on, no condition can wake the run: a person resumes it.
    await place.untildone(['resume', run.runId]);
    await run.ended();
    expect(endOf(run.events())).toEqual(oneEnd);
  }
});

const oneEnd = { waitsEnded: 1, outcome: 'completed', finishedSessions: 1 };

function endOf(events: readonly Event[]): typeof oneEnd {
  const last = events.at(-1);
  const finished = events.filter(
    (event) =>
      event.type === 'step-ended' &&
      event.result.kind === 'session' &&
      event.result.ending.kind === 'finished',
  );
  return {
    waitsEnded: countOf(events, 'condition-met'),
    outcome: last?.type === 'run-ended' ? last.outcome : '',
    finishedSessions: finished.length,
  };
}

function countOf(events: readonly Event[], type: FactType): number {
  return events.filter((event) => event.type === type).length;
}
