// No driver follows the killed one: the processes that it started must end without another command.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent, seesFile } from './agents.ts';
import { withoutNamespaces } from './kill-life.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { hostsOf, send } from './processes.ts';
import { until } from './wait.ts';

it.each([
  { who: 'the driver', isConfined: true },
  { who: 'the driver', isConfined: false },
  { who: 'driver and host', isConfined: true },
  { who: 'the process group', isConfined: true },
  { who: 'the process group', isConfined: false },
])(
  'After kill -9 of $who, an agent that would work for minutes and its child processes end (pid namespace: $isConfined) [X11]',
  async ({ who, isConfined }) => {
    const place = makePlace();
    place.write('config/untildone/config.jsonc', '{ "session": { "grace": "1s" } }');
    const env = isConfined ? {} : withoutNamespaces(place);
    const driver = place.start(['run', 'do it', '--check', seesFile, ...tireless(place)], {
      env,
      isGroup: true,
    });
    await until('the agent', () => existsSync(join(place.folder, 'started')));
    expect(place.living().length).toBeGreaterThan(3);
    if (who === 'driver and host') for (const host of hostsOf(driver.pid)) send(host, 'SIGKILL');
    send(who === 'the process group' ? -driver.pid : driver.pid, 'SIGKILL');
    await driver.ended;
    await until('everything to be gone', () => place.living().length === 0, { stepMs: 50 }).catch(() => {});
    expect(place.living()).toEqual([]);
    expect((await place.untildone(['stop'])).code).toBe(0);
  },
);

/** Deaf to SIGTERM, and so is what it leaves behind. */
function tireless(place: Place): string[] {
  const deaf = "trap '' TERM HUP INT; while :; do sleep 1; done";
  const actions = [
    { ignoreTerm: true },
    { leave: `sh -c "${deaf}"` },
    { run: `touch '${place.folder}/started'; sh -c "${deaf}"` },
  ];
  return scriptedAgent(place, [
    { role: 'builder', actions },
    { role: 'verifier', actions: [] },
  ]);
}
