// Work that only a reviewer passed: the name of its outcome, and every way to continue.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '#kernel/events/events.ts';
import { saysDone, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf, startedSteps } from './journal.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { send } from './processes.ts';
import { noScreen, openScreen } from './screen.ts';
import { until } from './wait.ts';

const green = ['--check', 'test -f README.md'];
const builder = `echo x > new.txt; ${saysDone}`;

/** A run whose check was green before the work, and whose reviewer passes it. */
async function reviewed(place: Place, ...more: string[]) {
  return place.untildone(['run', 'do it', ...green, ...more, ...shellAgents(place, { builder })]);
}

async function idOf(place: Place): Promise<string> {
  const { stdout } = await place.untildone(['list', '--json']);
  return (JSON.parse(stdout) as { runId: string }[])[0]?.runId ?? '';
}

describe('A green check and a reviewer', () => {
  it('A run with nothing but a review says so before the first session, ends with 7, and completes by approval', async () => {
    const place = makePlace();
    const { code, stdout } = await reviewed(place);
    const before = stdout.slice(0, stdout.indexOf('builder_001 starts'));
    expect(before).toContain('No check fails before the work, so no check can prove it.');
    expect(before).toContain(
      'To prove it: add a check that fails today (--check), ask for tests, approve the result',
    );
    expect(stdout).toContain('🔎 Reviewed, not proven: ');
    expect(stdout).not.toMatch(/task main proven|proven, commit follows/);
    expect(code).toBe(7);
    const runId = await idOf(place);
    expect(stdout).toContain(`untildone approve ${runId}`);
    const state = JSON.parse((await place.untildone(['status', runId, '--json'])).stdout) as object;
    expect(state).toMatchObject({ status: 'unverified', proof: 'review' });
    const refused = await place.untildone(['land', runId]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--accept-review');
    const approved = await place.untildone(['approve', runId]);
    expect(approved.stdout).toContain('✅ Completed: ');
    expect(approved.stdout).not.toContain('No check fails before the work');
    expect(approved.stdout).toContain('Proof: person (a person approved the work)');
    expect(approved.code).toBe(0);
    expect((await place.untildone(['verify', runId])).code).toBe(0);
    expect((await place.untildone(['land', runId])).code).toBe(0);
    expect(existsSync(join(place.repo, 'new.txt'))).toBe(true);
  });

  it('A resume after a kill prints no advance note about proof once a session was paid for', async () => {
    const place = makePlace();
    const waiting = `while [ ! -e '${place.folder}/go' ]; do sleep 0.05; done; ${builder}`;
    const driver = place.start([
      'run',
      'do it',
      ...green,
      ...shellAgents(place, { builder: `: > '${place.folder}/begun'; ${waiting}` }),
    ]);
    await until('the builder', () => existsSync(join(place.folder, 'begun')));
    send(driver.pid, 'SIGKILL');
    expect((await driver.ended).stdout).toContain('No check fails before the work');
    place.write('go', '');
    const { code, stdout } = await place.untildone(['resume']);
    expect(stdout).toContain('🔎 Reviewed, not proven: ');
    expect(stdout).not.toContain('No check fails before the work');
    expect(code).toBe(7);
  });

  it('An approval without a name means the last run that ended unproven, and asks if another run waits too', async () => {
    const place = makePlace();
    expect((await place.untildone(['approve'])).stderr).toContain('There is no run in this repository.');
    expect((await reviewed(place)).code).toBe(7);
    const reviewedId = await idOf(place);
    const file = place.write('tasks.md', '# More\n\n## Acceptance Criteria\n\n- [ ] It is kind (human)\n');
    const agents = shellAgents(place, { builder: `echo y > more.txt; ${saysDone}` });
    const waiting = await place.untildone(['run', '--task-file', file, ...green, ...agents]);
    expect(waiting.code).toBe(6);
    const waitingId = /untildone approve (\S+)/.exec(waiting.stdout)?.[1] ?? '';
    const several = await place.untildone(['approve']);
    expect(several.code).toBe(2);
    expect(several.stderr).toContain(`untildone approve ${reviewedId}  `);
    expect(several.stderr).toContain(`untildone approve ${waitingId}  `);
    const approved = await place.untildone(['approve', waitingId]);
    expect(approved.stdout).toContain('Approved: ');
    // That one waits for its driver now, and for no approval.
    const { code, stdout } = await place.untildone(['approve']);
    expect(stdout).toContain(`Approved: the work of run ${reviewedId}`);
    expect(stdout).toContain('Proof: person');
    expect(code).toBe(0);
  });

  it('An approval without a name asks where the last two runs ended without proof', async () => {
    const place = makePlace();
    const agents = shellAgents(place, { builder });
    for (const goal of ['one', 'two'])
      expect((await place.untildone(['run', goal, ...green, ...agents])).code).toBe(7);
    const several = await place.untildone(['approve']);
    expect(several.stderr).toMatch(/reviewed, not proven: one/);
    expect(several.stderr).toMatch(/reviewed, not proven: two/);
    expect(several.code).toBe(2);
    const [command = ''] = /untildone approve \S+/.exec(several.stderr) ?? [];
    expect((await place.untildone(command.split(' ').slice(1))).code).toBe(0);
  });

  it('A run that accepts a review completes, and every output says that it was accepted on review', async () => {
    const place = makePlace();
    const { code, stdout } = await reviewed(place, '--accept-review');
    expect(stdout).toContain('✅ Completed, accepted on review: ');
    expect(stdout).not.toContain('no check can prove it');
    expect(code).toBe(0);
    for (const command of ['list', 'report', 'verify'])
      expect((await place.untildone([command])).stdout).toContain('accepted on review');
    const { predicate } = JSON.parse((await place.untildone(['export'])).stdout) as { predicate: object };
    expect(predicate).toMatchObject({ result: 'WARNED', untildone: { run: { proof: 'review' } } });
    const landed = await place.untildone(['land']);
    expect(landed.stdout).toContain('✅ Landed, accepted on review, the run');
    expect((await place.untildone(['status'])).stdout).toContain('landed, accepted on review, on main');
  });

  it('Reviewed work is landed by --accept-review, also when the branch has moved, and is not called proven', async () => {
    const place = makePlace();
    expect((await reviewed(place)).code).toBe(7);
    place.git('commit', '-q', '--allow-empty', '-m', 'meanwhile');
    const { code, stdout } = await place.untildone(['land', '--accept-review']);
    expect(stdout).toContain('✅ Landed, accepted on review, the run');
    expect(stdout).not.toContain('WITHOUT PROOF');
    expect(code).toBe(0);
    expect(place.git('log', '-1', '--format=%B')).toContain("Accepted on a reviewer's pass:");
  });

  it('A check that is red before the work needs no accepted review, and no advance note about proof is printed', async () => {
    const place = makePlace();
    const { code, stdout } = await reviewed(place, '--check', 'test -f new.txt');
    expect(stdout).not.toContain('no check can prove it');
    expect(stdout).toContain('Proof: checks (');
    expect(code).toBe(0);
  });
});

it('An approval whose driver is killed during the repeated acceptance is continued by the next one, and completes the run once [X1] [X3]', async () => {
  const place = makePlace();
  const hold = join(place.folder, 'hold');
  const check = `while [ -e '${hold}' ]; do sleep 0.1; done; test -f README.md`;
  const agents = shellAgents(place, { builder });
  expect((await place.untildone(['run', 'do it', '--check', check, ...agents])).code).toBe(7);
  const runId = await idOf(place);
  const [tip, sessions] = [place.git('rev-parse', `untildone/${runId}`), sessionsOf(eventsOf(place)).length];
  place.write('hold', '');
  const driver = place.start(['approve', runId]);
  await until('the acceptance', () => isAcceptingAgain(eventsOf(place)), {
    sign: () => eventsOf(place).length,
  });
  send(driver.pid, 'SIGKILL');
  expect((await driver.ended).signal).toBe('SIGKILL');
  expect(JSON.parse((await place.untildone(['status', runId, '--json'])).stdout)).toMatchObject({
    outcome: null,
  });
  rmSync(hold);
  const approved = await place.untildone(['approve']);
  expect(approved.stdout).toContain('Proof: person');
  expect(approved.code).toBe(0);
  const ends = eventsOf(place).flatMap((event) => (event.type === 'run-ended' ? [event.outcome] : []));
  expect(ends).toEqual(['unverified', 'completed']);
  expect(sessionsOf(eventsOf(place))).toHaveLength(sessions);
  expect(place.git('rev-parse', `untildone/${runId}`)).toBe(tip);
  expect((await place.untildone(['approve', runId])).stderr).toContain('is over (completed)');
});

/** The checks of the acceptance run again, after the approval. */
function isAcceptingAgain(events: readonly Event[]): boolean {
  const approvedAt = events.findIndex(({ type }) => type === 'run-approved');
  return startedSteps(approvedAt < 0 ? [] : events.slice(approvedAt)).some(
    ({ deed }) => deed.kind === 'check' && deed.purpose === 'acceptance',
  );
}

describe.skipIf(noScreen !== '')(`A review at a terminal${noScreen}`, () => {
  it('The terminal asks a person once during the run whether a review counts, and remembers the answer', async () => {
    const place = makePlace();
    const go = join(place.folder, 'go');
    const waits = `while [ ! -f '${go}' ]; do sleep 0.1; done; ${builder}`;
    const command = (goal: string, agents: readonly string[]): string =>
      [bin(), 'run', goal, ...green, ...agents].map((word) => `'${word}'`).join(' ');
    const screen = openScreen(place, { columns: 160 });
    try {
      screen.write(`${command('do it', shellAgents(place, { builder: waits }))}; echo "ended with $?"\n`);
      await until('the question', () => screen.text().includes('The run does not wait.'));
      screen.write('y\n');
      await until('the answer', () => screen.text().includes("Saved: a reviewer's pass counts as proof"));
      const isSaid = (): boolean =>
        eventsOf(place).some(
          (one) => one.type === 'control-received' && one.control.kind === 'accept-review',
        );
      await until('the control', isSaid);
      place.write('go', '');
      await until('the end', () => /ended with \d/.test(screen.text()));
      expect(screen.text()).toContain('ended with 0');
      expect(screen.text()).toContain('Completed, accepted on review');
    } finally {
      screen.close();
    }
    const again = await place.untildone([
      'run',
      'do more',
      ...green,
      ...shellAgents(place, { builder: `echo y > more.txt; ${saysDone}` }),
    ]);
    expect(again.stdout).not.toContain('The run does not wait.');
    expect(again.code).toBe(0);
    expect((await place.untildone(['config', 'show'])).stdout).toMatch(/acceptReview +true +\(answer: /);
  });
});
