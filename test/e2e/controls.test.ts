// Steering a run from outside: by other processes, touched files, signals, a real terminal.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, scriptedAgent, seesFile, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { startListening } from './listening.ts';
import { prompts, viewsOf } from './looking.ts';
import type { Running } from './package.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

describe('Controls from another process', () => {
  it('A pause takes effect within a session, and the run waits until it is resumed [Q5] [A6]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    expect((await place.untildone(['resume'])).stderr).toContain('the run is not paused');
    const paused = await place.untildone(['pause', '--why', 'lunch']);
    expect(paused.stdout).toMatch(/untildone resume/);
    expect(paused.code).toBe(0);
    await until('the pause', () => statusOf(place, 'control-applied') && lastSession(place)?.result !== null);
    expect((await place.untildone(['status'])).stdout).toMatch(/lunch/);
    expect(isRunning(driver)).toBe(true);
    letGo(place);
    const resumed = await place.untildone(['resume']);
    expect(resumed.stdout).toMatch(/The driver of .* continues\./);
    expect(await driver.ended).toMatchObject({ code: 0 });
    expect(sessionsOf(eventsOf(place)).map(({ result }) => result?.ending.kind)).toEqual([
      'interrupted',
      'finished',
      'finished',
    ]);
  });

  it('After `stop`, a session that cannot be interrupted finishes, and then the run ends [Q5] [X3]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    expect((await place.untildone(['stop'])).stdout).toMatch(/when the running steps have ended/);
    await until('the stop', () => statusOf(place, 'control-applied'));
    expect(isRunning(driver)).toBe(true);
    letGo(place);
    expect(await driver.ended).toMatchObject({ code: 5 });
    expect(sessionsOf(eventsOf(place)).map(({ result }) => result?.ending.kind)).toEqual(['finished']);
    expect((await place.untildone(['resume'])).code).toBe(2);
  });

  it('`stop --now` ends the run at once and leaves no process alive [Q5] [X11]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    expect((await place.untildone(['stop', '--now'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 5 });
    expect(place.living()).toEqual([]);
    expect((await place.untildone(['status'])).stdout).toMatch(/stopped/);
  });

  it('A pause with --now ends a session that cannot be interrupted, keeps its files, and the run resumes in the same attempt [Q5]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    const asked = await place.untildone(['pause']);
    expect(asked.stdout).toMatch(
      /its agent cannot be interrupted: this takes up to 2h 00m; end it at once: untildone pause --now/,
    );
    await until('the pause', () => statusOf(place, 'control-applied'));
    expect(lastSession(place)?.result).toBeNull();
    expect((await place.untildone(['pause', '--now'])).stdout).toContain('Its files are kept');
    await until('the end of the session', () => lastSession(place)?.result !== null);
    expect(lastSession(place)?.result?.ending).toEqual({ kind: 'cancelled', reason: 'paused' });
    expect(isRunning(driver)).toBe(true);
    letGo(place);
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 0 });
    const builders = sessionsOf(eventsOf(place)).filter(({ deed }) => deed.role === 'builder');
    expect(builders.map(({ deed }) => deed.attempt)).toEqual([1, 1]);
  });

  it('An answer resumes the conversation that asked, with nothing but the question and the answer [U4]', async () => {
    const place = makePlace();
    const turns = [
      {
        role: 'builder',
        actions: [{ say: '===NEEDS_INPUT===\nWhich word?\n' }],
        resumed: [{ write: { path: 'done.txt', text: 'right\n' } }, { say: '===WIGGUM_COMPLETE===\n' }],
      },
      { role: 'verifier', actions: [{ say: '===VERIFIER_COMPLETE===\n' }] },
    ] as const;
    const run = ['run', 'do it', '--check', seesFile, ...scriptedAgent(place, turns)];
    expect(await place.untildone(run)).toMatchObject({ code: 6 });
    expect(await place.untildone(['answer', 'right'])).toMatchObject({ code: 0 });
    expect(await place.untildone(['resume'])).toMatchObject({ code: 0 });
    const sessions = sessionsOf(eventsOf(place)).filter(({ deed }) => deed.role === 'builder');
    expect(sessions.map(({ deed }) => deed.attempt)).toEqual([1, 1]);
    expect(sessions[1]?.deed.resume).toBe(sessions[0]?.result?.resumeId);
    expect(prompts(place, 'builder')[1]).toMatch(/^You asked: Which word\?\nThe answer: right\n/);
  });

  it('A run without a driver can be stopped [Q5]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    expect(await place.untildone(['stop'])).toMatchObject({ code: 0 });
    expect(eventsOf(place).at(-1)).toMatchObject({ type: 'run-ended', outcome: 'stopped' });
  });

  it('A message reaches a session that accepts messages at once, and every other session with its next prompt [Q5]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    letGo(place);
    expect((await place.untildone(['tell', 'keep the old API'])).code).toBe(0);
    await driver.ended;
    expect(logOf(place, 'builder_001')).toContain('heard: keep the old API');

    const deaf = makePlace();
    const second = await startDeaf(deaf, 'if [ $n = 1 ]; then echo wrong > done.txt; exit 0; fi');
    expect((await deaf.untildone(['tell', 'keep the old API'])).code).toBe(0);
    await until('the word', () => statusOf(deaf, 'control-applied'));
    letGo(deaf);
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(prompts(deaf, 'builder').map((prompt) => prompt.includes('keep the old API'))).toEqual([
      false,
      true,
    ]);
  });

  it('A message that no later session carries is named when the run ends, and a message after the end is refused [Q5]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    expect((await place.untildone(['tell', 'keep the old API'])).stdout).toContain('with its next prompt');
    letGo(place);
    const { code, stdout } = await driver.ended;
    expect(code).toBe(0);
    const named = '⚠️  No session started after this message: "keep the old API"';
    expect(stdout).toContain(named);
    expect((await place.untildone(['show'])).stdout).toContain(named);
    expect(await place.untildone(['tell', 'one more thing'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no unfinished run in this repository.') as string,
    });
  });

  it('A message to a run without a driver waits for its next session, and the command says so [Q5]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    send(driver.pid, 'SIGKILL');
    await driver.ended;
    const { stdout } = await place.untildone(['tell', 'keep the old API']);
    expect(stdout).toMatch(
      /Run (\S+) has no driver\. Its next session gets the message: untildone resume \1\n/,
    );
  });

  it('A control that the agent itself requests is refused [X12]', async () => {
    const place = makePlace();
    const commands = [
      'stop --now',
      'pause',
      'tell "be kind"',
      'resume --budget usd=999',
      'suspend --poll --command true',
      'resume --force',
      'approve',
      'reject --why no',
      'answer yes',
      'retry main',
      'skip main',
      'accept done.txt --why mine',
      'clean --unlanded',
    ];
    const tries = commands.map(
      (command) =>
        `'${bin()}' ${command} >> '${place.folder}/tried' 2>&1; echo "code $?" >> '${place.folder}/tried'`,
    );
    const slyly = ['stop --now', 'accept done.txt --why mine', 'approve', 'clean --unlanded'];
    const sly = slyly.map(
      (command) =>
        `env -u UNTILDONE_MARK setsid -w '${bin()}' ${command} >> '${place.folder}/tried' 2>&1; echo "code $?" >> '${place.folder}/tried'`,
    );
    // A process without the mark, without a session and without anybody of the run above it.
    const orphan = `'${bin()}' skip main >> '${place.folder}/tried' 2>&1; echo "code $?" >> '${place.folder}/tried'; touch '${place.folder}/orphan-ended'`;
    writeFileSync(join(place.folder, 'orphan.sh'), orphan);
    const hide = `(setsid env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME='${place.stateHome}' sh '${place.folder}/orphan.sh' &)`;
    const forged = JSON.stringify({ id: 'k', by: 'ann', control: { kind: 'skip', taskId: 'main', why: '' } });
    const builder = [
      `cd '${place.repo}'`,
      ...tries,
      ...sly,
      hide,
      `i=0; while [ ! -e '${place.folder}/orphan-ended' ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done`,
      // Renamed into place, as every request is: half a file would only be set aside.
      `for box in $(find '${place.stateHome}' -type d -name inbox); do echo '${forged}' > "$box/.1.json"; mv "$box/.1.json" "$box/1.json"; done`,
      'cd - > /dev/null',
      'echo right > done.txt',
      saysDone,
    ].join('\n');
    const { code, stdout } = await place.untildone([
      'run',
      'do it',
      '--check',
      seesFile,
      ...shellAgents(place, { builder }),
    ]);
    const tried = place.read('tried');
    const times = commands.length + slyly.length + 1;
    expect(tried.match(/code 2/g)).toHaveLength(times);
    expect(tried.match(/an agent may not control its own run/g)).toHaveLength(times);
    expect(code).toBe(0);
    expect(eventsOf(place).filter(({ type }) => type === 'control-applied')).toEqual([]);
    expect(stdout).toMatch(/control unproven-k refused: it came as a file in the inbox/);
    expect(stdout).toMatch(/decisions? refused: it is not certain that a person asked/);
  });
});

describe('Controls by files', () => {
  it('The file .untildone/control/pause pauses the run until it is resumed [Q5]', async () => {
    const place = makePlace();
    const driver = await startListening(place);
    touch(place, 'pause');
    await until('the pause', () => statusOf(place, 'control-applied'));
    letGo(place);
    expect(isRunning(driver)).toBe(true);
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 0 });
  });

  it('The file .untildone/control/stop stops the run [Q5]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    touch(place, 'stop');
    await until('the stop', () => statusOf(place, 'control-applied'));
    letGo(place);
    expect(await driver.ended).toMatchObject({ code: 5 });
  });
});

describe('Controls by signals', () => {
  it.each([
    { who: 'the driver alone', signal: 'SIGINT', isGroup: false },
    { who: 'the whole foreground group, as a terminal does', signal: 'SIGINT', isGroup: true },
    { who: 'the driver', signal: 'SIGTERM', isGroup: false },
    { who: 'the driver', signal: 'SIGHUP', isGroup: false },
  ] as const)(
    'One $signal to $who parks the run, and the message says how to resume [Q5] [X3]',
    async ({ signal, isGroup }) => {
      const place = makePlace();
      const driver = await startListening(place, { isGroup: true });
      send(isGroup ? -driver.pid : driver.pid, signal);
      const { code, stdout, stderr } = await driver.ended;
      expect(`${stdout}${stderr}`).toMatch(/untildone resume \d/);
      expect(code).toBe(6);
      expect(lastSession(place)?.result?.ending.kind).toBe('interrupted');
      expect(place.living()).toEqual([]);
      letGo(place);
      const resumed = await place.untildone(['resume']);
      expect(resumed.stdout).toMatch(/🔄 Resuming from durable session/);
      expect(resumed.code).toBe(0);
    },
  );

  it('The second Ctrl-C stops the run, whatever the agent does [Q5] [X3]', async () => {
    const place = makePlace();
    const driver = await startDeaf(place);
    send(driver.pid, 'SIGINT');
    await until(
      'the pause',
      () => driver.stderr().includes('Pausing') || driver.stdout().includes('Pausing'),
    );
    expect(`${driver.stdout()}${driver.stderr()}`).toMatch(
      /cannot be interrupted: this takes up to 2h 00m; end it at once: untildone pause --now \S+; Ctrl-C again stops/,
    );
    send(driver.pid, 'SIGINT');
    expect(await driver.ended).toMatchObject({ code: 5 });
    expect(place.living()).toEqual([]);
  });
});

/** A builder that reads no message and runs until a file releases it. */
async function startDeaf(place: Place, then = ''): Promise<Running> {
  const builder = [
    `touch '${place.folder}/started'`,
    `while [ ! -f '${place.folder}/go' ]; do sleep 0.05; done`,
    then,
    'echo right > done.txt',
    saysDone,
  ].join('\n');
  const driver = place.start(['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })]);
  await until('the session', () => existsSync(join(place.folder, 'started')));
  return driver;
}

function letGo(place: Place): void {
  writeFileSync(join(place.folder, 'go'), '');
}

function statusOf(place: Place, type: string): boolean {
  return eventsOf(place).some((event) => event.type === type);
}

function lastSession(place: Place) {
  return sessionsOf(eventsOf(place)).at(-1);
}

function isRunning(driver: Running): boolean {
  return existsSync(`/proc/${driver.pid}`);
}

function touch(place: Place, name: string): void {
  const folder = join(place.repo, '.untildone/control');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), '');
}

function logOf(place: Place, start: string): string {
  const folder = join(viewsOf(place), 'logs');
  const name = readdirSync(folder).find((one) => one.startsWith(start)) ?? '';
  return readFileSync(join(folder, name), 'utf8');
}
