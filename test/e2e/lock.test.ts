// One driver per run, also across namespaces and containers.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { isAlive, send } from './processes.ts';
import { until } from './wait.ts';

it('A second driver is refused with the name of the lock holder, also while the holder is stopped [Q4] [B13]', async () => {
  const place = makePlace();
  const args = work(place);
  const driver = place.start(args);
  await until('the session', () => existsSync(join(place.folder, 'started')));
  const beside = await place.untildone(args);
  expect(beside.stderr).toContain(`pid ${driver.pid}`);
  expect(beside.code).toBe(2);
  send(driver.pid, 'SIGSTOP');
  await until('it to be stopped', () => /\) T /.test(readFileSync(`/proc/${driver.pid}/stat`, 'utf8')));
  const second = await place.untildone(args);
  expect(second.stderr).toContain(`pid ${driver.pid}`);
  expect(second.code).toBe(2);
  expect((await place.untildone(['status'])).stdout).toContain(`pid ${driver.pid}`);
  letGo(place);
  // The session ends without its driver: what it left is there when the driver wakes up.
  await until('the work', () => existsSync(join(place.folder, 'ended')));
  send(driver.pid, 'SIGCONT');
  expect(await driver.ended).toMatchObject({ code: 0 });
  expect(runFolders(place)).toHaveLength(1);
});

it('Exactly one of three drivers takes over a run whose driver was killed [Q4] [B13] [D4]', async () => {
  const place = makePlace();
  const args = work(place);
  const killed = place.start(args);
  await until('the session', () => existsSync(join(place.folder, 'started')));
  send(killed.pid, 'SIGKILL');
  await killed.ended;
  const { stdout: status } = await place.untildone(['status']);
  expect(status).toMatch(/^Status: interrupted; last stage: builder at work \(attempt 1\)$/m);
  letGo(place);
  const three = await Promise.all([1, 2, 3].map(() => place.untildone(args)));
  const codes = three.map(({ code }) => String(code)).toSorted();
  // A driver that starts after the others ended would create a new run; none is that late here.
  expect(codes).toEqual(['0', '2', '2']);
  const refused = three.filter(({ code }) => code === 2);
  for (const { stdout, stderr } of refused) {
    expect(stderr).toMatch(/pid \d+/);
    // Nothing is announced that does not happen.
    expect(stdout).not.toMatch(/Resuming|untildone run /);
  }
  expect(three.filter(({ stdout }) => stdout.includes('🔄 Resuming from durable session'))).toHaveLength(1);
  expect(runFolders(place)).toHaveLength(1);
  expect(place.git('rev-list', '--count', `main..${branch(place)}`)).toBe('1');
  expect(eventsOf(place).filter(({ type }) => type === 'driver-started')).toHaveLength(2);
});

it('A driver in another pid namespace holds the lock, and another driver takes over when it dies [Q4]', async (context) => {
  const wrapper = ['unshare', '--pid', '--fork', '--mount-proc'];
  const trial = spawnSync(wrapper[0] ?? '', [...wrapper.slice(1), 'true']);
  if (trial.status !== 0) {
    return context.skip(`no pid namespace can be made here: ${String(trial.stderr ?? trial.error)}`);
  }
  const place = makePlace();
  const args = work(place);
  const wrapped = place.start(args, { wrapper });
  await until('the session', () => existsSync(join(place.folder, 'started')));
  const outside = await place.untildone(args);
  expect(outside.stderr).toMatch(/already works on this goal|already has a driver/);
  expect(outside.code).toBe(2);
  const [driver = 0] = readFileSync(`/proc/${wrapped.pid}/task/${wrapped.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  expect(driver).toBeGreaterThan(0);
  send(driver, 'SIGKILL');
  await wrapped.ended;
  await until('it to be gone', () => !isAlive(driver));
  letGo(place);
  const resumed = await place.untildone(args);
  expect(resumed).toMatchObject({ code: 0, stderr: '' });
  expect(resumed.stdout).toMatch(/🔄 Resuming from durable session/);
  expect(runFolders(place)).toHaveLength(1);
});

/** A run whose first session lasts until it is let go. */
function work(place: Place): string[] {
  const builder = [
    `touch '${place.folder}/started'`,
    `while [ ! -f '${place.folder}/go' ]; do sleep 0.05; done`,
    'echo right > done.txt',
    `touch '${place.folder}/ended'`,
    saysDone,
  ].join('\n');
  return ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })];
}

function letGo(place: Place): void {
  writeFileSync(join(place.folder, 'go'), '');
}

function branch(place: Place): string {
  return place.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/untildone');
}
