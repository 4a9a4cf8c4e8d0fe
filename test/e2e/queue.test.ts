// A queue of tasks in one run: steered from another terminal, killed during a task, resumed, and finished.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { prompts, viewsOf } from './looking.ts';
import { makePlace } from './place.ts';
import { isAlive, send } from './processes.ts';
import { until } from './wait.ts';

const task = (number: number, ...fields: string[]): string =>
  [
    `## Task ${number}: Write ${number}`,
    ...fields,
    `The file f${number}.txt says right.`,
    '**Acceptance Criteria**:',
    `- [ ] it is there (check: grep -q right f${number}.txt)`,
    '',
  ].join('\n');

describe('A queue of tasks', () => {
  it('A queue runs its tasks in order, loses no command, survives a kill, and can be read and resumed afterwards [Q1] [Q2] [Q3] [Q5] [Q9]', async () => {
    const place = makePlace({ isSandboxed: true });
    const shared = join(place.folder, 'shared');
    mkdirSync(shared);
    place.write('config/untildone/config.jsonc', JSON.stringify({ sandbox: { allowWrite: [shared] } }));
    place.write(
      'repo/tasks.md',
      task(1, '**Priority**: low') +
        task(2, '**Priority**: high') +
        task(3) +
        task(4, '**Depends on**: Task 2'),
    );
    place.git('add', '.');
    place.git('commit', '-q', '-m', 'tasks');
    // Each builder knows its file from its own prompt; the first one waits for a file.
    const builder = [
      'f=$(printf "%s\\n" "$prompt" | sed -n "s/^The file \\(f[0-9]*\\.txt\\) says right.*/\\1/p")',
      `echo "$f" >> '${shared}/begun'`,
      `while [ ! -e '${shared}/go' ]; do sleep 0.05; done`,
      `echo right > "$f"; ${saysDone}`,
    ].join('\n');
    const agents = shellAgents(place, { builder });
    const driver = place.start(['queue', 'tasks.md', ...agents], { isGroup: true });
    await until('the first builder', () => existsSync(join(shared, 'begun')));

    const added = await place.untildone([
      'add-task',
      'Write 5',
      '--description',
      'The file f5.txt says right.',
      '--criterion',
      'five is there (check: grep -q right f5.txt)',
      '--depends-on',
      '3',
      '--priority',
      'high',
      '--json',
    ]);
    expect(added.code).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({ taskId: 'task-5', isApplied: true });
    expect(await place.untildone(['skip', '1', '--why', 'not now'])).toMatchObject({
      code: 0,
      stdout: 'Skipped task task-1.\n',
    });
    const mistyped = await place.untildone(['skip', 'tsak-3']);
    expect(mistyped.stderr).toMatch(/has no task "tsak-3".*\nHint: Did you mean "task-3"\?/);
    const status = (await place.untildone(['status'])).stdout;
    expect(status).toMatch(
      /▶️ {2}task-2 - Write 2[^]*task-5 - Write 5 \(waits for task-3\)[^]*⏭️ {2}task-1 - Write 1: skipped by .*: not now/,
    );

    send(driver.pid, 'SIGKILL');
    await driver.ended;
    await until('the end of what it left', () => place.living().every(({ pid }) => !isAlive(pid)));
    // The run has no driver now: the control is recorded for the next one.
    expect((await place.untildone(['skip', 'task-4', '--why', 'elsewhere'])).code).toBe(0);
    place.write('shared/go', '');
    const end = await place.untildone(['resume']);
    expect(end).toMatchObject({ code: 0 });

    const events = eventsOf(place);
    expect(events.at(-1)).toMatchObject({ type: 'run-ended', outcome: 'completed' });
    const branch = place.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/untildone');
    expect(place.git('log', '--format=%s', '--reverse', `main..${branch}`).split('\n')).toEqual([
      'feat(task-2): Write 2',
      'feat(task-3): Write 3',
      'feat(task-5): Write 5',
    ]);
    // Fresh sessions, one at a time, and in each prompt one task alone.
    const told = prompts(place, 'builder').map((text) => text.match(/f\d\.txt says right/g) ?? []);
    for (const words of told) expect(new Set(words).size).toBe(1);
    expect(sessionsOf(events).every(({ deed }) => deed.resume === null)).toBe(true);
    expect(end.stdout).toMatch(
      /Progress: \[1 of 5\] ▰▰▱▱▱▱▱▱▱▱ 20%\nCurrent: Task 3 - Write 3\nStatus: .*\nTime: \d+s elapsed/,
    );
    expect(end.stdout).toContain('Progress: [3 of 5] ▰▰▰▰▰▰▱▱▱▱ 60%');
    expect(end.stdout).toMatch(/✅ task-5 - Write 5 \(1 attempt, 2 sessions, .*commit [0-9a-f]{10}\)/);
    expect(readFileSync(join(viewsOf(place), 'state.json'), 'utf8')).toContain('"task-5"');
    // Its archive is the journal, which stays: all of it can be read again, also without the views.
    rmSync(join(place.repo, '.untildone'), { recursive: true });
    for (const [command = '', ...parts] of [
      ['list', 'the tasks of tasks.md'],
      ['status', 'task-5 - Write 5', 'skipped by'],
      ['show', 'task task-4 skipped by', 'elsewhere'],
      ['report', 'ompleted'],
    ]) {
      const { code, stdout } = await place.untildone([command]);
      expect({ command, code }).toEqual({ command, code: 0 });
      for (const part of parts) expect(stdout).toContain(part);
    }

    // Over is not for ever: what was left out is wanted after all, and nothing that is done is paid for again.
    const before = place.git('rev-parse', branch);
    const paid = sessionsOf(eventsOf(place)).length;
    expect((await place.untildone(['retry', '2'])).stderr).toContain('Task task-2 is done');
    rmSync(join(shared, 'go'));
    rmSync(join(shared, 'begun'));
    const again = await place.untildone(['retry', '4', '--no-drive']);
    expect(again.stdout).toMatch(
      /task-4 is open again.* had ended as completed and is open again: 1 task to do/,
    );
    const twice = await place.untildone(['retry', '4']);
    expect(twice.stderr).toMatch(/Task task-4 is open already\.\nHint: .*Continue with: untildone resume/);
    const second = place.start(['resume'], { isGroup: true });
    await until('the builder of task 4', () => existsSync(join(shared, 'begun')));
    send(second.pid, 'SIGKILL');
    await second.ended;
    await until('the end of what it left', () => place.living().every(({ pid }) => !isAlive(pid)));
    // What the earlier end had proven is so still.
    const verified = await place.untildone(['verify', before]);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toContain('The run was reopened after this, and has not ended.');
    place.write('shared/go', '');
    const last = await place.untildone(['resume']);
    expect(last).toMatchObject({ code: 0 });
    expect(last.stdout).toMatch(/Reopened by .*; before that it was completed: .*skipped: task-4, task-1/);
    expect(last.stdout).toMatch(/^✅ Completed: .*skipped: task-1$/m);
    expect(place.git('log', '--format=%s', `${before}..${branch}`)).toBe('feat(task-4): Write 4');
    // The builder that was killed, the one that followed, and who reviewed it.
    expect(sessionsOf(eventsOf(place))).toHaveLength(paid + 3);
  });
});
