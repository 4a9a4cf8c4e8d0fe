// The action loop against the clock, pauses, stops and lost conversations: what counts as an iteration, and what continues.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openEndpoint } from '#test/agents/fake-endpoint.ts';
import type { FakeEndpoint } from '#test/agents/fake-endpoint.ts';
import { seesFile } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { actionsIn, develop, init, loopFlags, reports } from './loop-agents.ts';
import { prompts } from './looking.ts';
import { modelFlags, turnModel } from './loop-model.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { until } from './wait.ts';

const opened: FakeEndpoint[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
});

describe('Turns that take too long', () => {
  it('A turn that takes too long is asked to converge, interrupted, resumed, then replaced by a fresh session; no timeout counts as an iteration [A5] [A7]', async () => {
    const place = makePlace();
    place.write('config/untildone/config.jsonc', '{ "session": { "grace": "4s" } }');
    // Deaf to words, not to an interrupt.
    const deaf = { run: 'sleep 300' };
    const part = (message: string, state: object) =>
      reports({ action: 'DEVELOP', message, state, next: 'DEVELOP' });
    const hears = [{ say: 'I begin.\n' }, { sleep: 300_000 }, part('It heard the request.', { a: 1 })];
    const converges = [{ say: 'I begin.\n' }, deaf, part('It heard the interrupt.', { b: 1 })];
    const hangs = [{ say: 'The last thing I saw is a red lamp.\n' }, deaf, deaf, deaf];
    const flags = ['--turn-timeout', '3s', ...loopFlags(place, [init, hears, converges, hangs, develop])];
    const { code, stdout } = await place.untildone(['run', 'do it', '--check', seesFile, ...flags]);
    expect(code).toBe(0);
    expect(actionsIn(place)).toEqual([
      'INIT 1 success',
      'DEVELOP 2 success',
      'DEVELOP 3 success',
      'DEVELOP 4 success',
      'VALIDATE 4 success',
      'COMPLETE 4 success',
    ]);
    expect(stdout.match(/Agent timeout, requesting convergence\.\.\./g)).toHaveLength(3);
    const sessions = sessionsOf(eventsOf(place)).map(({ deed, result }) => [
      deed.turn?.way,
      result?.ending.kind,
      deed.resume === null ? 'fresh' : 'resumed',
    ]);
    expect(sessions).toEqual([
      ['asked', 'finished', 'fresh'],
      ['asked', 'finished', 'resumed'],
      ['asked', 'timed-out', 'resumed'],
      ['converge', 'finished', 'resumed'],
      ['asked', 'timed-out', 'resumed'],
      ['converge', 'timed-out', 'resumed'],
      ['asked', 'finished', 'fresh'],
    ]);
    const told = prompts(place, 'builder');
    expect(told[3]).toContain('TIMEOUT NOTIFICATION');
    expect(told[6]).toContain('The last thing I saw is a red lamp.');
    expect(told[6]).toContain('"b": 1');
  });
});

describe('Lost conversations', () => {
  it('A conversation that its client has lost is replaced once by a fresh session with the state and the results [A1] [A9]', async () => {
    const { place, endpoint } = await withModel();
    const flags = ['--mode', 'interactive', ...modelFlags];
    expect((await place.untildone(['run', 'do it', '--check', seesFile, ...flags])).code).toBe(6);
    const folders = transcripts(place.folder);
    expect(folders.length).toBeGreaterThan(0);
    for (const folder of folders) rmSync(folder, { recursive: true });
    const { code, stdout } = await place.untildone(['choose', 'develop']);
    expect(code).toBe(6);
    expect(actionsIn(place)).toEqual(['INIT 1 success', 'DEVELOP 2 success']);
    const sessions = sessionsOf(eventsOf(place));
    expect(sessions.map(({ deed, result }) => [deed.resume === null, result?.ending.kind])).toEqual([
      [true, 'finished'],
      [false, 'failed'],
      [true, 'finished'],
    ]);
    expect(stdout).toContain('there is no conversation');
    const fresh = endpoint.asked.findLast(({ messages }) => messages.at(-1)?.role === 'user')?.last ?? '';
    expect(fresh).toContain('Turn 1, INIT: success. I read it.');
    expect(fresh).toContain('"write one.txt"');
  });
});

describe('Pause and stop by a person', () => {
  it('A pause interrupts the turn, which resumes at the same point and counts once [A6] [Q5]', async () => {
    const place = makePlace();
    const driver = await startWaiting(place);
    expect((await place.untildone(['pause', '--why', 'lunch'])).code).toBe(0);
    await until('the interrupt', () => lastEnding(place) === 'interrupted');
    expect(actionsIn(place)).toEqual(['INIT 1 success']);
    const during = await place.untildone(['status', '--json']);
    expect(JSON.parse(during.stdout)).toMatchObject({ loop: { status: 'paused', iterations: 1 } });
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(await driver.ended).toMatchObject({ code: 0 });
    expect(actionsIn(place).slice(0, 2)).toEqual(['INIT 1 success', 'DEVELOP 2 success']);
    const [, interrupted, after] = sessionsOf(eventsOf(place));
    expect(after?.deed.resume).toBe(interrupted?.result?.resumeId);
  });

  it('`stop` ends the loop as stopped, in the words of the loop, and no action is taken [A6] [Q5]', async () => {
    const place = makePlace();
    const driver = await startWaiting(place);
    expect((await place.untildone(['stop', '--now'])).code).toBe(0);
    const { code, stdout } = await driver.ended;
    expect(code).toBe(5);
    expect(stdout).toMatch(/^Loop stopped$/m);
    expect(actionsIn(place)).toEqual(['INIT 1 success']);
    expect(eventsOf(place).at(-1)).toMatchObject({ type: 'run-ended', outcome: 'stopped' });
    expect(place.living()).toEqual([]);
  });

  it('Ctrl-C pauses the loop in its own words, and the loop resumes [A6] [Q5]', async () => {
    const place = makePlace();
    const driver = await startWaiting(place);
    process.kill(driver.pid, 'SIGINT');
    const { code, stdout } = await driver.ended;
    expect(code).toBe(6);
    expect(stdout).toMatch(/^Loop paused, exiting gracefully$/m);
    expect((await place.untildone(['resume'])).code).toBe(0);
    expect(actionsIn(place)).toEqual([
      'INIT 1 success',
      'DEVELOP 2 success',
      'VALIDATE 2 success',
      'COMPLETE 2 success',
    ]);
  });
});

/** In the middle of its second turn. */
async function startWaiting(place: Place): Promise<Running> {
  const waits = [{ say: 'waiting\n' }, { sleep: 600_000 }, ...develop];
  const flags = loopFlags(place, [init, waits]);
  const driver = place.start(['run', 'do it', '--check', seesFile, ...flags]);
  await until('the turn', () => driver.stdout().includes('waiting'));
  return driver;
}

function lastEnding(place: Place): string | undefined {
  return sessionsOf(eventsOf(place)).at(-1)?.result?.ending.kind;
}

async function withModel(): Promise<{ readonly place: Place; readonly endpoint: FakeEndpoint }> {
  const place = makePlace();
  const endpoint = await openEndpoint(turnModel());
  opened.push(endpoint);
  const agents = { mine: { driver: 'openai', baseUrl: endpoint.baseUrl, model: 'm' } };
  place.write('config/untildone/config.jsonc', JSON.stringify({ agents }));
  return { place, endpoint };
}

/** Where conversations are kept, wherever that is below the place. */
function transcripts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'transcripts')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => existsSync(path));
}
