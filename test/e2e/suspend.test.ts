// Suspended runs with the built program: real runs, real commands, real files.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { startListening } from './listening.ts';
import { newestRun, prompts } from './looking.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

describe('Suspensions of a live run', () => {
  it('A run suspended for a time interrupts its session and resumes by itself in the same conversation [U1] [U2]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    const said = await place.untildone(['suspend', '--time', '2s', 'CI is slow']);
    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toMatch(/waits until .* UTC, in 2s/);
    expect(said.stdout).toContain(`Its driver (pid ${driver.pid}) waits and then continues by itself`);
    expect(said.stdout).toContain('A session is running. If its agent cannot be interrupted');
    expect(await driver.ended).toMatchObject({ code: 0 });
    expect(endings(place)).toEqual(['interrupted', 'finished', 'finished']);
    const [suspended, met] = ['suspended', 'condition-met'].map((type) => eventOf(place, type));
    const due = suspended?.type === 'suspended' ? suspended.since + 2000 : Number.NaN;
    expect(met?.type === 'condition-met' && met.seenAt >= due).toBe(true);
  });

  it('A run suspended on a file and a command resumes when one of them holds, and --status shows the last poll [U1] [U3]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    const flags = [
      '--poll',
      '--command',
      'echo "still queued"; exit 3',
      '--every',
      '200ms',
      '--tries',
      '999',
    ];
    const suspended = await place.untildone(['suspend', '--any', '--file', 'ready.txt', ...flags, '--json']);
    expect(JSON.parse(suspended.stdout)).toMatchObject({
      isApplied: true,
      suspensions: [
        { kind: 'any', condition: { of: [{ kind: 'poll' }, { path: join(place.repo, 'ready.txt') }] } },
      ],
    });
    expect(await place.untildone(['suspend', '--manual'])).toMatchObject({ code: 2 });
    expect((await place.untildone(['resume'])).stderr).toMatch(
      /is suspended: .*\n.*End the wait: .* --force/s,
    );
    const status = await statusWhen(place, (text) => /ran \d+ times/.test(text));
    expect(status).toContain('exit 3: still queued');
    expect(status).toContain(`untildone resume --run ${newestRun(place)} --force`);
    const [wait] = JSON.parse((await place.untildone(['resume', '--status', '--json'])).stdout) as unknown[];
    expect(wait).toMatchObject({
      runId: newestRun(place),
      state: 'parked',
      suspensions: [{ polls: [{ lastExit: 'exit 3', lastLine: 'still queued' }] }],
    });
    const state = JSON.parse((await place.untildone(['status', '--json'])).stdout) as unknown;
    expect(state).toMatchObject({
      suspension: { polls: [{ lastExit: 'exit 3' }], nextLook: expect.stringMatching(/^2/) as string },
    });
    writeFileSync(join(place.repo, 'ready.txt'), '');
    expect(await driver.ended).toMatchObject({ code: 0 });
  });

  it('A poll whose command begins to exit 0 ends the wait [U2]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    const flag = join(place.folder, 'green');
    await place.untildone([
      'suspend',
      '--command',
      `test -e '${flag}'`,
      '--every',
      '100ms',
      '--tries',
      '9999',
    ]);
    await statusWhen(place, (text) => /ran \d+ times/.test(text));
    writeFileSync(flag, '');
    expect(await driver.ended).toMatchObject({ code: 0 });
    expect(eventOf(place, 'condition-met')).toMatchObject({
      what: expect.stringContaining('exit') as string,
    });
  });
});

describe('A poll that never succeeds', () => {
  it('A poll that never succeeds ends with its count and last exit (exit 6), and the run continues after an approval [U2] [U3]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    await place.untildone([
      'suspend',
      '--command',
      'echo no job; exit 4',
      '--every',
      '200ms',
      '--tries',
      '2',
    ]);
    const { code, stdout } = await driver.ended;
    expect(code).toBe(6);
    expect(stdout).toMatch(
      /A person is asked: .*expired after (?:one poll|\d+ polls); the last: exit 4: no job; a person decides/,
    );
    expect(stdout).toContain('⏸️  Parked: a person decides (see above)');
    expect(stdout).toContain(`untildone resume --run ${newestRun(place)} --approve`);
    const plain = await place.untildone(['resume']);
    expect(plain).toMatchObject({ code: 6 });
    expect(plain.stdout).toContain('--reject "why"');
    expect(eventsOf(place).at(-1)?.type).toBe('driver-left');
    const approved = await place.untildone(['resume', '--approve']);
    expect(approved).toMatchObject({ code: 0 });
    expect(approved.stdout).toMatch(/Approved: Run \S+ continues/);
  });

  it('A poll that hangs, forks and floods is ended at its limit with everything it started [U2] [X11]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    const command = '(sleep 98765 &) ; (setsid sleep 98765 &) ; yes & exec sleep 98765';
    await place.untildone([
      'suspend',
      '--command',
      command,
      '--timeout',
      '500ms',
      '--every',
      '100ms',
      '--tries',
      '1',
    ]);
    expect(await driver.ended).toMatchObject({ code: 6 });
    expect(eventOf(place, 'suspension-expired')).toBeDefined();
    expect(place.living()).toEqual([]);
  });
});

describe('A wait for a person', () => {
  it('A wait for a person ends the session with --now, and a rejection reaches the prompt of the next builder [U1] [U3]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    const run = newestRun(place);
    const asked = await place.untildone(['suspend', '--manual', 'is the export right?']);
    expect(asked.stdout).toContain(
      `its agent cannot be interrupted: this takes up to 2h 00m; end it at once: untildone suspend --now --run ${run}`,
    );
    expect((await place.untildone(['suspend', '--now'])).stdout).toContain('The running session is ended');
    const parked = await driver.ended;
    expect(parked).toMatchObject({ code: 6 });
    expect(parked.stdout).toContain('❓ A person is asked: is the export right? (waits for a person)');
    expect((await place.untildone(['status'])).stdout).toContain(`untildone resume --run ${run} --approve`);
    writeFileSync(join(place.folder, 'go'), '');
    const rejected = await place.untildone(['resume', '--run', run, '--reject', 'the export is empty']);
    expect(rejected).toMatchObject({ code: 0 });
    expect(prompts(place, 'builder').map((prompt) => prompt.includes('the export is empty'))).toEqual([
      false,
      true,
    ]);
  });

  it('Without a driver a suspension is recorded; several parked runs are distinguished, and --force ends one wait [U1] [U3] [D5]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    const first = newestRun(place);
    const written = await place.untildone(['suspend', '--time', '3h', 'the night']);
    expect(written.stdout).toContain('No process wakes it: run `untildone watch`');
    const other = await startDeaf(place, 'do another thing');
    await place.untildone(['suspend', '--now', '--manual', '--run', newestRun(place)]);
    expect(await other.ended).toMatchObject({ code: 6 });
    const status = (await place.untildone(['resume', '--status'])).stdout;
    expect(status).toContain(`${first}: parked (no driver)`);
    expect(status).toContain('The run is suspended: the night');
    expect(status).toContain('Waits:      for a person');
    expect(await place.untildone(['resume', '--force'])).toMatchObject({ code: 2 });
    expect((await place.untildone(['list'])).stdout.match(/parked/g)).toHaveLength(2);
    writeFileSync(join(place.folder, 'go'), '');
    const forced = await place.untildone(['resume', '--run', first, '--force']);
    expect(forced).toMatchObject({ code: 0 });
    expect(forced.stdout).toContain(`Run ${first} continues: its wait was ended.`);
  });
});

/** A builder that cannot be interrupted and works until it is let go. */
async function startDeaf(place: Place, goal = 'do it'): Promise<Running> {
  const started = join(place.folder, `started ${goal}`);
  const builder = [
    `touch "${place.folder}/started $(echo "$prompt" | grep -q 'another thing' && echo 'do another thing' || echo 'do it')"`,
    `while [ ! -f '${place.folder}/go' ]; do sleep 0.05; done`,
    'echo right > done.txt',
    saysDone,
  ].join('\n');
  const driver = place.start(['run', goal, '--check', seesFile, ...shellAgents(place, { builder })]);
  await until('the session', () => existsSync(started));
  return driver;
}

async function statusWhen(place: Place, isSeen: (text: string) => boolean): Promise<string> {
  for (;;) {
    const { stdout, code } = await place.untildone(['resume', '--status']);
    expect(code).toBe(0);
    if (isSeen(stdout)) return stdout;
  }
}

function eventOf(place: Place, type: string) {
  return eventsOf(place).find((event) => event.type === type);
}

function endings(place: Place): (string | undefined)[] {
  return sessionsOf(eventsOf(place)).map(({ result }) => result?.ending.kind);
}
