// Parked runs are woken by `untildone watch` and by any command: once, by real processes.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Condition } from '#kernel/waiting/condition.ts';
import { howMany } from '#test/how-many.ts';
import { dropControl } from '#app/controls/controls.ts';
import { openSite, openStore } from '#app/site.ts';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf } from './journal.ts';
import { builders, drivers, parkRun, past, soon, wakeLog, worker } from './parked.ts';
import { bin, type Running } from './package.ts';
import { noPty, openPty } from './pty.ts';
import { makePlace, type Place } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

describe('A parked run woken by watch [U2] [U3]', () => {
  it('A parked run resumes at its time, with one driver and one session', async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const run = await parkRun(place, { condition: soon(1500) });
    await run.ended();
    expect(run.events().at(-1)).toMatchObject({ type: 'run-ended', outcome: 'completed' });
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    expect(wakeLog(place, run)).toMatch(/^[\d-]+ [\d:]+ UTC woken$/m);
    await until('the line of the end', () => watch.stdout().includes('its driver ended (exit 0)'));
    expect(watch.stdout()).toMatch(new RegExp(`UTC ${run.runId}: driver started \\(pid \\d+\\)`));
    expect(existsSync(run.wakeFile)).toBe(false);
    await stopWatch(watch);
    expect(watch.stderr()).toBe('');
  });

  it('A parked run resumes when its file appears, and when its command exits 0', async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const file = join(place.folder, 'ready');
    const flag = join(place.folder, 'green');
    const byFile = await parkRun(place, { condition: { kind: 'file', path: file } });
    const byPoll = await parkRun(place, { condition: poll(`test -f '${flag}'`) });
    const looks = join(byPoll.folder, 'looks.json');
    await until('a look', () => existsSync(looks));
    writeFileSync(file, '');
    writeFileSync(flag, '');
    await Promise.all([byFile.ended(), byPoll.ended()]);
    for (const run of [byFile, byPoll]) expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await stopWatch(watch);
  });

  it('A run that was due before watch started is woken at once, and the delay is explained', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: past(3_600_000) });
    const watch = await startWatch(place);
    await run.ended();
    const late = run.events().flatMap((event) => (event.type === 'condition-met' ? [event.late] : []));
    expect(late.join()).toMatch(/no untildone process was running|was off/);
    expect(watch.stdout()).toMatch(/: due .* UTC, checked .* UTC: (no untildone|the machine)/);
    const { stdout } = await place.untildone(['show', run.runId]);
    expect(stdout).toMatch(/\(due .* UTC, checked .* UTC: (no untildone|the machine)/);
    await stopWatch(watch);
  });
});

describe('A parked run woken by any command [D2]', () => {
  it('`status` wakes a due run in the background and prints its usual output', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: past() });
    const { stdout, stderr, code } = await place.untildone(['status']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).not.toContain('woken');
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
  });

  it('A command wakes no run that is not due, and none if the settings forbid it', async () => {
    const place = makePlace({ files: { 'README.md': 'A sample.\n' } });
    const later = await parkRun(place, { condition: soon(3_600_000) });
    const due = await parkRun(place, { condition: past() });
    place.write('repo/.untildone/config.jsonc', '{ "durableSteps": { "checkSuspensionsOnStart": false } }');
    await place.untildone(['list']);
    expect(place.living()).toEqual([]);
    rmSync(join(place.repo, '.untildone/config.jsonc'));
    await place.untildone(['list']);
    await due.ended();
    expect([drivers(due), drivers(later)]).toEqual([1, 0]);
  });

  it('A command in the new place of a moved repository wakes its run', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: past() });
    const moved = join(place.folder, 'elsewhere');
    renameSync(place.repo, moved);
    await place.untildone(['list'], { cwd: moved });
    await run.ended();
    expect(wakeLog(place, run, moved)).toContain('woken');
  });
});

describe('Two wakers at once [U3]', () => {
  it('If two processes wake the same run, one drives it, and the other exits 0 silently', async () => {
    const place = makePlace();
    const flags = worker(place);
    const races = howMany({ usual: 10, long: 50 });
    for (let race = 0; race < races; race += 1) {
      // All that is due is a reminder: each race is over soon.
      const run = await parkRun(place, { condition: { kind: 'manual' }, remindAt: Date.now() - 1, flags });
      const wakers = await Promise.all([1, 2].map(() => place.untildone(['wake', run.runId])));
      expect(run.events().filter(({ type }) => type === 'reminded')).toHaveLength(1);
      expect(drivers(run)).toBe(1);
      expect(wakers.map(({ stderr }) => stderr)).toEqual(['', '']);
      const [silent, ...spoke] = wakers.toSorted((one, other) => one.stdout.length - other.stdout.length);
      expect(silent).toMatchObject({ code: 0, stdout: '' });
      expect(spoke.map(({ code }) => code)).toEqual([6]);
    }
  });

  it('A watch and a command that find the same run due start one driver', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: past() });
    const watch = place.start(['watch']);
    await Promise.all([1, 2].map(() => place.untildone(['watch', '--once', '--repo', place.repo])));
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await until('watch', () => watch.stdout().includes('watching'));
    await stopWatch(watch);
  });

  it('A second watch names the first and exits 2', async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const second = await place.untildone(['watch']);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`(pid ${watch.pid})`);
    await stopWatch(watch);
  });
});

it('Ten parked runs survive a watch that is killed again and again: none is lost, none is woken twice [U3]', async () => {
  const place = makePlace();
  const flags = worker(place);
  const runs = [];
  for (let n = 0; n < 10; n += 1)
    runs.push(
      await parkRun(place, { flags, condition: soon(500 + n * howMany({ usual: 300, long: 1500 })) }),
    );
  const kills = howMany({ usual: 10, long: 50 });
  const random = randomOf(7);
  for (let kill = 0; kill < kills; kill += 1) {
    const watch = place.start(['watch']);
    await sleep(100 + random() * 900);
    send(watch.pid, 'SIGKILL');
    await watch.ended;
  }
  const watch = await startWatch(place);
  for (const run of runs) await run.ended();
  expect(runs.map((run) => [drivers(run), builders(run)])).toEqual(runs.map(() => [1, 1]));
  await stopWatch(watch);
});

describe('A run that cannot resume where it is woken [U2]', () => {
  it('A missing variable is named, nothing is written into the journal, and the run resumes where it is set', async () => {
    const place = makePlace();
    const agent = { driver: 'command', command: ['sh', join(place.folder, 'agent.sh')], env: ['MY_KEY'] };
    const told = join(place.folder, 'told');
    place.write(
      'config/untildone/config.jsonc',
      JSON.stringify({
        agents: { mine: agent },
        notify: [{ to: 'command', command: `echo x >> '${told}'` }],
      }),
    );
    const flags = { ...worker(place), agent: ['mine'] };
    const run = await parkRun(place, { condition: past(), flags, env: { MY_KEY: 'secret' } });
    const before = run.events().length;
    for (const _ of [1, 2]) {
      const woken = await place.untildone(['wake', run.runId]);
      expect(woken.code).toBe(6);
      expect(woken.stdout).toContain('MY_KEY');
    }
    // The names are also kept with the journal.
    rmSync(run.wakeFile);
    expect(await place.untildone(['wake', run.runId])).toMatchObject({ code: 6 });
    expect(run.events()).toHaveLength(before);
    expect(readFileSync(told, 'utf8')).toBe('x\n');
    const { stdout } = await place.untildone(['status']);
    expect(stdout).toMatch(/^Not woken: .*MY_KEY.*untildone resume/m);
    expect(stdout).not.toContain('secret');
    const watch = await startWatch(place, { MY_KEY: 'secret' });
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await stopWatch(watch);
  });

  it('A command that has the variable wakes the run, although a watch without it is running [D2]', async () => {
    const place = makePlace();
    const agent = { driver: 'command', command: ['sh', join(place.folder, 'agent.sh')], env: ['MY_KEY'] };
    place.write('config/untildone/config.jsonc', JSON.stringify({ agents: { mine: agent } }));
    const flags = { ...worker(place), agent: ['mine'] };
    const run = await parkRun(place, { condition: past(), flags, env: { MY_KEY: 'secret' } });
    const watch = await startWatch(place);
    await until('the problem', () => watch.stdout().includes('not woken: '));
    // A second try in vain is not told.
    const tries = (): number => wakeLog(place, run).split('MY_KEY').length - 1;
    await until('a second try', () => tries() > 1);
    expect(watch.stdout().match(/driver started|not woken/g)).toEqual(['driver started', 'not woken']);
    expect(drivers(run)).toBe(0);
    await place.untildone(['list'], { env: { MY_KEY: 'secret' } });
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await stopWatch(watch);
    await until('the end of the driver', () => place.living().length === 0);
  });

  it('A reminder of a wait for a person is sent without the variable, since it starts no agent [U3]', async () => {
    const place = makePlace();
    const agent = { driver: 'command', command: ['sh', join(place.folder, 'agent.sh')], env: ['MY_KEY'] };
    const told = join(place.folder, 'told');
    const notify = [{ to: 'command', command: `cat >> '${told}'` }];
    place.write('config/untildone/config.jsonc', JSON.stringify({ agents: { mine: agent }, notify }));
    const flags = { ...worker(place), agent: ['mine'] };
    const remindAt = Date.now() - 1000;
    const env = { MY_KEY: 'secret' };
    const run = await parkRun(place, { condition: { kind: 'manual' }, remindAt, flags, env });
    const woken = await place.untildone(['wake', run.runId]);
    expect(woken.stdout).not.toContain('MY_KEY');
    expect(run.events().filter(({ type }) => type === 'reminded')).toHaveLength(1);
    expect(builders(run)).toBe(0);
    expect(readFileSync(told, 'utf8')).not.toContain('cannot continue');
    expect(readFileSync(told, 'utf8')).toContain('resume --run');
    // What the run needs is not forgotten by a process that lacks it.
    expect(readFileSync(join(run.folder, 'needs.json'), 'utf8')).toContain('MY_KEY');
  });

  it('A moved repository is named once, its run is kept, and other runs resume', async () => {
    const place = makePlace();
    const other = join(place.folder, 'other');
    place.git('clone', '-q', place.repo, other);
    const kept = await parkRun(place, { condition: past(), repo: other });
    renameSync(other, join(place.folder, 'moved'));
    const watch = await startWatch(place);
    await until('the line', () => watch.stdout().includes('no longer at'));
    const run = await parkRun(place, { condition: past() });
    await run.ended();
    expect(existsSync(kept.wakeFile)).toBe(true);
    expect(drivers(kept)).toBe(0);
    expect(watch.stdout().match(/no longer at/g)).toHaveLength(1);
    renameSync(join(place.folder, 'moved'), other);
    await stopWatch(watch);
    const again = await startWatch(place);
    await kept.ended();
    await stopWatch(again);
  });
});

describe('Wake records are only hints [U3]', () => {
  it('A watch finds a run whose wake record is gone, and ignores garbage beside it', async () => {
    const place = makePlace();
    const lost = await parkRun(place, { condition: past() });
    const damaged = await parkRun(place, { condition: past() });
    rmSync(lost.wakeFile);
    writeFileSync(damaged.wakeFile, '{"version":1,"awaited":[{"kind":"limit"');
    const folder = join(place.stateHome, 'untildone', 'waiting');
    for (const [name, text] of Object.entries({
      'x.json': 'null',
      '0.1.json': '[]',
      'y.json': '\0'.repeat(9),
    }))
      writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, 'z.json'));
    const watch = await startWatch(place);
    await Promise.all([lost.ended(), damaged.ended()]);
    expect(watch.stdout().match(/its wake record was lost/g)).toHaveLength(2);
    await stopWatch(watch);
    expect(watch.stderr()).toBe('');
  });

  it('A record that names the suspension of another run does not keep that run from being woken', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: poll('exit 0') });
    const forged = '20000101-0000-aaaa';
    const text = readFileSync(run.wakeFile, 'utf8').replaceAll(run.runId, forged);
    writeFileSync(run.wakeFile.replace(run.runId, forged), text);
    const watch = await startWatch(place);
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await stopWatch(watch);
  });

  it('--repo without --once is refused, since a watch covers all repositories', async () => {
    const place = makePlace();
    const refused = await place.untildone(['watch', '--repo', place.repo]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--once');
  });

  it('A watch whose folder is removed finds the runs again', async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const run = await parkRun(place, { condition: soon(2500) });
    rmSync(join(place.stateHome, 'untildone', 'waiting'), { recursive: true });
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await stopWatch(watch);
  });

  it('A parked run survives if no wake record can be written, and a watch finds it later', async () => {
    const place = makePlace();
    const folder = join(place.stateHome, 'untildone', 'waiting');
    mkdirSync(join(place.stateHome, 'untildone'));
    writeFileSync(folder, 'no folder');
    const run = await parkRun(place, { condition: past() });
    expect(existsSync(run.wakeFile)).toBe(false);
    rmSync(folder);
    const watch = await startWatch(place);
    await run.ended();
    expect([drivers(run), builders(run)]).toEqual([1, 1]);
    await stopWatch(watch);
  });

  it('A run whose driver was killed between the end of its wait and the next step resumes', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: past() });
    const site = await openSite(place.repo, place.env);
    await dropControl(site, run.runId, { kind: 'resume', force: true }, 'ann');
    expect(existsSync(run.wakeFile)).toBe(true);
    expect(await place.untildone(['wake', run.runId])).toMatchObject({ code: 0, stderr: '' });
    expect(run.events().at(-1)).toMatchObject({ type: 'run-ended', outcome: 'completed' });
    expect(builders(run)).toBe(1);
  });

  it('A record of a run that is over, or gone, is removed', async () => {
    const place = makePlace();
    const run = await parkRun(place, { condition: past() });
    const record = readFileSync(run.wakeFile, 'utf8');
    await place.untildone(['wake', run.runId]);
    writeFileSync(run.wakeFile, record);
    expect(await place.untildone(['wake', run.runId])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(run.wakeFile)).toBe(false);
  });
});

it('A watch over 1,000 parked runs takes under 1.5 % of a core and 80 MB [U3]', async (context) => {
  if (process.platform !== 'linux') return context.skip('CPU and memory are read from /proc');
  const place = makePlace();
  const run = await parkRun(place, { condition: soon(86_400_000) });
  const record = JSON.parse(readFileSync(run.wakeFile, 'utf8')) as { runId: string; awaited: object[] };
  for (let n = 1; n < 1000; n += 1) {
    const runId = `${run.runId}-${n}`;
    const path = join(place.folder, `never-${n}`);
    const condition =
      n % 2 === 0 ? { kind: 'time', at: Date.now() + 86_400_000 + n } : { kind: 'file', path };
    const awaited = [{ ...record.awaited[0], suspensionId: `s${n}`, condition }];
    writeFileSync(run.wakeFile.replace(run.runId, runId), JSON.stringify({ ...record, runId, awaited }));
  }
  const watch = await startWatch(place);
  expect(watch.stdout()).toContain('watching 1000 waiting runs');
  // What starting costs is not meant.
  await sleep(3000);
  const [before, since] = [cpuMs(watch.pid), performance.now()];
  await sleep(8000);
  const percent = (100 * (cpuMs(watch.pid) - before)) / (performance.now() - since);
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${watch.pid}/status`, 'utf8'));
  const mb = Number(memory?.[1]) / 1024;
  expect(percent).toBeLessThan(1.5);
  expect(mb).toBeLessThan(80);
  await stopWatch(watch);
});

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

describe('A driver without a terminal [U2]', () => {
  it('A driver without a terminal exits if a watch is running, so that a parked run costs no process', async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const driver = await suspendedDriver(place, soon(3_600_000));
    expect(await driver.ended).toMatchObject({ code: 6 });
    expect(driver.stdout()).toContain(`\`untildone watch\` (pid ${watch.pid}) wakes it.`);
    expect(place.living().map(({ pid }) => pid)).toEqual([watch.pid]);
    await stopWatch(watch);
  });

  it('A driver without a terminal runs the poll command once before it exits', async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const looked = join(place.folder, 'looked');
    const driver = await suspendedDriver(place, poll(`echo $PPID >> '${looked}'; exit 1`, 3_600_000));
    expect(await driver.ended).toMatchObject({ code: 6 });
    expect(existsSync(looked)).toBe(true);
    await stopWatch(watch);
  });

  it('A driver without a terminal stays and says so if no watch runs; SIGTERM leaves the run suspended, not paused', async () => {
    const place = makePlace();
    const driver = await suspendedDriver(place, soon(3_600_000));
    await until('the sentence', () => driver.stdout().includes('no `untildone watch` is running'));
    send(driver.pid, 'SIGTERM');
    expect(await driver.ended).toMatchObject({ code: 6 });
    expect(driver.stdout()).toMatch(/Parked: .*CI runs/);
    expect(driver.stdout()).toContain('the next untildone command in this repository wakes it');
    expect(eventsOf(place).map(({ type }) => type)).not.toContain('paused');
    expect(driver.stdout().match(/This process stays/g)).toHaveLength(1);
  });
});

it.skipIf(noPty !== '')(
  `A driver in a terminal stays, and Ctrl-C leaves the run suspended [U2]${noPty}`,
  async () => {
    const place = makePlace();
    const watch = await startWatch(place);
    const run = await parkRun(place, { condition: soon(3_600_000) });
    const before = statSync(run.wakeFile).mtimeMs;
    const pty = await openPty(['sh', '-c', `cd '${place.repo}' && exec '${bin()}' resume ${run.runId}`], {
      env: place.env,
    });
    // The driver writes it again when its wait begins.
    await until('the wait', () => statSync(run.wakeFile).mtimeMs > before);
    pty.write('\u0003');
    expect(await pty.ending()).toMatchObject({ kind: 'ended', number: 6 });
    pty.close();
    // The helper that holds the terminal ends a moment later.
    await until('the terminal to close', () => place.living().every(({ pid }) => pid === watch.pid));
    expect(pty.output()).toContain(`(pid ${watch.pid}) wakes it.`);
    expect(run.events().map(({ type }) => type)).not.toContain('paused');
    expect(JSON.stringify(run.events().at(-1))).toMatch(/driver-left.*CI runs/);
    await stopWatch(watch);
  },
);

it('A driver that was ended in its wait is not started again by its own command [U2]', async () => {
  const place = makePlace();
  const looked = join(place.folder, 'looked');
  const driver = await suspendedDriver(place, poll(`touch '${looked}'; exit 1`, 1));
  await until('a look', () => existsSync(looked));
  send(driver.pid, 'SIGTERM');
  expect(await driver.ended).toMatchObject({ code: 6 });
  expect(place.living()).toEqual([]);
});

it('A command wakes a suspended run whose driver was killed while its session still worked [U2] [D2]', async () => {
  const place = makePlace();
  const ready = join(place.folder, 'ready');
  const driver = await suspendedDriver(place, { kind: 'file', path: ready }, { now: false });
  const records = join(place.stateHome, 'untildone', 'waiting');
  // Not its draft: a driver that is killed before the rename leaves no record.
  const isRecord = (name: string): boolean => name.endsWith('.json') && !name.startsWith('.');
  await until('the wake record', () => existsSync(records) && readdirSync(records).some(isRecord));
  send(driver.pid, 'SIGKILL');
  await driver.ended;
  place.write('go', '');
  place.write('ready', '');
  utimesSync(ready, 1, 1);
  await place.untildone(['list']);
  await until('the end', () => eventsOf(place).some(({ type }) => type === 'run-ended'));
  await until('the end of the driver', () => place.living().length === 0);
  expect(eventsOf(place).filter(({ type }) => type === 'condition-met')).toHaveLength(1);
});

/** A run that was suspended while its builder worked. */
async function suspendedDriver(
  place: Place,
  condition: Condition,
  { now = true }: { readonly now?: boolean } = {},
): Promise<Running> {
  const begun = join(place.folder, 'begun');
  const builder = `touch '${begun}'\nwhile [ ! -f '${place.folder}/go' ]; do sleep 0.05; done\n${saysDone}`;
  const driver = place.start(['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })]);
  await until('the session', () => existsSync(begun));
  const site = await openSite(place.repo, place.env);
  const [runId = ''] = await openStore(site).list();
  const why = 'CI runs';
  const suspend = { kind: 'suspend', condition, why, since: Date.now(), ...(now ? { now } : {}) } as const;
  await dropControl(site, runId, suspend, 'ann');
  return driver;
}

function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Ready when it says so. */
async function startWatch(place: Place, env: Place['env'] = {}): Promise<Running> {
  const watch = place.start(['watch'], { env });
  await until('watch', () => watch.stdout().includes('watching') || watch.stderr() !== '');
  return watch;
}

async function stopWatch(watch: Running): Promise<void> {
  send(watch.pid, 'SIGTERM');
  expect(await watch.ended).toMatchObject({ code: 0 });
}

function poll(command: string, everyMs = 200): Condition {
  return { kind: 'poll', command, everyMs, until: Date.now() + 3_600_000, timeoutMs: 60_000 };
}
