// Polls with real commands: they hang, fork, flood, crash, print secrets, or run twice at once.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { takeLock } from '#adapters/files/lock.ts';
import { createRedactor } from '#config/redact.ts';
import type { PollCondition } from '#kernel/waiting/condition.ts';
import { pollOnce, type PollPlace } from './poll-once.ts';
import { readPollRecords } from './poll-records.ts';

const secret = 'hunter2-hunter2-hunter2';
const processes = createProcesses({ confine: 'marker' });
const never = new AbortController().signal;
let folder = '';
let place: PollPlace;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untildone-poll-look-'));
  place = {
    runId: `run-${folder.slice(-6)}`,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    processes,
    redactor: createRedactor({ MY_TOKEN: secret }),
    lockFile: join(folder, 'look.lock'),
    recordFile: join(folder, 'looks.json'),
  };
});

afterEach(async () => {
  await processes.sweep(`${place.runId}/poll`);
  await rm(folder, { recursive: true, force: true });
});

function poll(command: string, timeoutMs = 20_000): PollCondition {
  return { kind: 'poll', command, everyMs: 60_000, until: 9e12, timeoutMs };
}

const look = (command: string, timeoutMs?: number, signal = never) =>
  pollOnce(place, 's1', poll(command, timeoutMs), signal);

/** Whether a process still runs; one that is dead and not yet waited for does not. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

const moment = (): Promise<void> => setTimeout(5);

describe('one run of a poll', () => {
  it('A poll is met by exit 0 alone, and reports how the command ended and its last line [U3]', async () => {
    expect(await look('echo ready')).toEqual({ isMet: true, words: 'exit 0: ready', looks: 1 });
    expect(await look('echo almost; exit 3')).toEqual({ isMet: false, words: 'exit 3: almost', looks: 1 });
    expect(await look('kill -TERM $$')).toMatchObject({ isMet: false, words: 'killed by SIGTERM' });
    expect(await look('no-such-program-anywhere')).toMatchObject({ isMet: false });
  });

  it('The runs of a poll are counted across processes, and the last result is kept for people [U3]', async () => {
    await look('echo one; exit 1');
    expect(await look('echo one; exit 1')).toMatchObject({ looks: 2 });
    const known = await readPollRecords(place.recordFile);
    expect(known['s1 echo one; exit 1']).toMatchObject({ looks: 2, ending: 'exit 1', line: 'one' });
    await writeFile(place.recordFile, '{"half');
    expect(await look('echo one; exit 1')).toMatchObject({ looks: 1 });
  });

  it('A poll ends at its wall limit with everything that it started, even processes that hang, fork and ignore signals [U3]', async () => {
    const command = `trap '' TERM; sleep 1e9 & echo $! > a; echo $$ > b; exec sleep 1e9`;
    const seen = await look(command, 1000);
    expect(seen).toMatchObject({ isMet: false, words: 'timed out after 1 s' });
    for (const name of ['a', 'b'])
      expect(await isAlive(Number(await readFile(join(folder, name), 'utf8')))).toBe(false);
  });

  it('A poll leaves no process behind that took a session of its own [U3]', async () => {
    const command = `setsid sh -c 'echo $$ > daemon; exec sleep 1e9' & while [ ! -s daemon ]; do sleep 0.01; done`;
    expect(await look(command)).toMatchObject({ isMet: true });
    expect(await isAlive(Number(await readFile(join(folder, 'daemon'), 'utf8')))).toBe(false);
  });

  it('A poll of a command that floods keeps the last line, cut to a bounded length [U3]', async () => {
    const seen = await look(`head -c 30000000 /dev/zero | tr '\\0' x; echo; printf 'z%.0s' $(seq 1 900)`);
    expect(seen?.words).toMatch(/^exit 0: z{300}$/);
  });

  it('The last line of a poll shows no secret and no escape codes of the terminal [U3]', async () => {
    expect((await look(`echo "token ${secret}"`))?.words).not.toContain(secret);
    const seen = await look(String.raw`printf 'first\n\033[2J\033[31mred\033[0m \007\r\n'`);
    expect(seen?.words).toBe('exit 0: red');
  });

  it('A poll does not run while another process runs it, and runs again when that process has ended [U3]', async () => {
    const lock = await takeLock(place.lockFile);
    expect(await look('true')).toBeNull();
    lock?.release();
    expect(await look('true')).toMatchObject({ isMet: true });
  });

  it('The same poll never runs twice at once in one process: the second waits for its turn [U3]', async () => {
    const command = (name: string): string =>
      `[ ! -e busy ] && touch busy && sleep 0.1 && rm busy && echo ${name}`;
    const all = await Promise.all(['a', 'b', 'c'].map((name) => look(command(name))));
    expect(all.map((one) => one?.words)).toEqual(['exit 0: a', 'exit 0: b', 'exit 0: c']);
  });

  it('A poll first ends the leftover processes of a killed poll [U3]', async () => {
    const left = processes.start({
      command: 'echo $$ > left; exec sleep 1e9',
      cwd: folder,
      env: place.env,
      mark: `${place.runId}/poll`,
      wallMs: 600_000,
      idleMs: null,
      graceMs: 100,
      input: null,
      onOutput: () => {},
    });
    const pid = join(folder, 'left');
    while (!existsSync(pid) || (await readFile(pid, 'utf8')) === '') await moment();
    await look('true');
    expect(await isAlive(Number(await readFile(pid, 'utf8')))).toBe(false);
    left.kill('the test is over');
    await left.ended;
  });

  it('A poll ends at once when its process leaves [U3]', async () => {
    const leaving = new AbortController();
    const looking = look('touch begun; exec sleep 1e9', 600_000, leaving.signal);
    while (!existsSync(join(folder, 'begun'))) await moment();
    leaving.abort();
    expect(await looking).toMatchObject({ isMet: false });
  });

  it('A poll runs even if no lock and no file can be written [U3]', async () => {
    const nowhere = { lockFile: '/proc/nowhere/lock', recordFile: '/proc/nowhere/looks' };
    expect(await pollOnce({ ...place, ...nowhere }, 's1', poll('true'), never)).toMatchObject({
      isMet: true,
    });
  });
});
