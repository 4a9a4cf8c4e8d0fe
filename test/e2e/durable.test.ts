// Durable sessions: a killed run is continued by the same command, with the inputs of its start, unless the settings forbid it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import { eventsOf, sessionsOf } from './journal.ts';
import { newestRun, prompts } from './looking.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { send } from './processes.ts';
import { noPty, openPty } from './pty.ts';
import { until } from './wait.ts';

if (noPty !== '') process.stderr.write(`The question in a terminal${noPty}.\n`);

const task = (number: number, words: string): string =>
  [
    `## Task ${number}: Write ${number}`,
    `The file f${number}.txt says right. ${words}`,
    '**Acceptance Criteria**:',
    `- [ ] it is there (check: grep -q right f${number}.txt)`,
    '',
  ].join('\n');

/** Kills the driver at the moment at which its agent hangs. */
async function killed(place: Place, args: readonly string[]): Promise<string> {
  const hanging = join(place.folder, 'hanging');
  rmSync(hanging, { force: true });
  const driver = place.start(args);
  await until('the agent', () => existsSync(hanging));
  send(driver.pid, 'SIGKILL');
  return (await driver.ended).stdout;
}

const journalOf = (place: Place): string =>
  readFileSync(join(runFolders(place).at(-1) ?? '', 'journal.jsonl'), 'utf8');

/** Marks that it began, and hangs as long as the file `go` is missing. */
const waits = (place: Place): string =>
  `: > '${place.folder}/hanging'; while [ ! -e '${place.folder}/go' ]; do sleep 0.05; done`;

describe('A durable session', () => {
  it('The same command resumes a killed run at its step, with the inputs frozen at its start [D4] [D6] [D3]', async () => {
    const place = makePlace();
    const file = (words: string): string => task(1, '') + task(2, '') + task(3, words);
    place.write('tasks.md', file('Old words.'));
    const builder = [
      'f=$(printf "%s\\n" "$prompt" | sed -n "s/^The file \\(f[0-9]*\\.txt\\) says right.*/\\1/p")',
      `if [ "$f" = f2.txt ]; then ${waits(place)}; fi`,
      `echo right > "$f"; ${saysDone}`,
    ].join('\n');
    const agents = shellAgents(place, { builder });
    const args = ['queue', join(place.folder, 'tasks.md'), ...agents];
    expect(await killed(place, args)).not.toContain('Resuming');
    const resumed = '🔄 Resuming from durable session (1/3 steps completed)\n';
    expect(await killed(place, args)).toContain(resumed);

    const id = newestRun(place);
    const { stdout: status } = await place.untildone(['session', 'status']);
    expect(status).toMatch(new RegExp(`^${id} \\(queue\\): interrupted, 1/3 steps completed\n`));
    expect(status).toContain('  Stage: interrupted; last stage: builder at work (attempt 1)\n');
    expect(status).toContain(`  Next: untildone resume ${id}\n`);
    const listed = JSON.parse((await place.untildone(['session', 'status', '--json'])).stdout) as unknown;
    expect(listed).toMatchObject([{ runId: id, state: 'interrupted', steps: { done: 1, all: 3 } }]);
    const stats = (): Promise<string> => place.untildone(['session', 'stats']).then(({ stdout }) => stdout);
    expect(await stats()).toBe('Total sessions: 1\nCompleted: 0\nAvg tokens saved: not measured\n');
    const state = JSON.parse((await place.untildone(['status', '--run', id, '--json'])).stdout) as unknown;
    expect(state).toMatchObject({ runStatus: 'interrupted', execution: { currentStep: 1 } });

    place.write('tasks.md', file('New words.'));
    const changed = await place.untildone(args);
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(/--resume.*--new/);
    writeFileSync(join(place.folder, 'go'), '');
    const last = await place.untildone([...args, '--resume']);
    expect(last).toMatchObject({ code: 0 });
    expect(last.stdout).toContain(resumed);
    expect(runFolders(place)).toHaveLength(1);
    const asked = prompts(place, 'builder').join('\n');
    expect(asked).toContain('Old words.');
    expect(asked).not.toContain('New words.');
    const ofFirst = sessionsOf(eventsOf(place)).filter(({ stepId }) => stepId.endsWith('-task-1'));
    expect(ofFirst.map(({ deed }) => deed.role)).toEqual(['builder', 'verifier']);
    expect(await stats()).toBe('Total sessions: 1\nCompleted: 1\nAvg tokens saved: not measured\n');
    expect((await place.untildone(['session', 'status'])).stdout).toMatch(/^No unfinished run\./);
  });
});

describe('durableSteps', () => {
  function place(settings: object): { place: Place; args: string[] } {
    const made = makePlace();
    made.write('config/untildone/config.jsonc', JSON.stringify({ durableSteps: settings }));
    const builder = `${waits(made)}; echo right > done.txt; ${saysDone}`;
    return { place: made, args: ['run', 'do it', '--check', seesFile, ...shellAgents(made, { builder })] };
  }

  it.each([
    ['enabled', { enabled: false }],
    ['autoResume', { autoResume: false }],
  ])(
    'With %s off the same command refuses without a terminal, leaves the journal, and resume works [D2]',
    async (_, settings) => {
      const { place: here, args } = place(settings);
      await killed(here, args);
      const journal = journalOf(here);
      const id = newestRun(here);
      for (const words of [args, [...args, '--json']]) {
        const refused = await here.untildone(words);
        expect(refused.code).toBe(2);
        expect(refused.stdout + refused.stderr).toContain(`The run ${id} with this goal is unfinished`);
        expect(refused.stdout + refused.stderr).toContain(
          `To continue it: --resume, or untildone resume ${id}. To start another run: --new`,
        );
      }
      for (const words of [['status'], ['list'], ['session', 'status']]) await here.untildone(words);
      expect(journalOf(here)).toBe(journal);
      writeFileSync(join(here.folder, 'go'), '');
      const resumed = await here.untildone(['resume']);
      expect(resumed.stdout).toContain('🔄 Resuming from durable session');
      expect(resumed.code).toBe(0);
      expect(runFolders(here)).toHaveLength(1);
    },
  );

  it('With enabled off, --new starts another run beside the unfinished one [D2] [D5]', async () => {
    const { place: here, args } = place({ enabled: false });
    await killed(here, args);
    writeFileSync(join(here.folder, 'go'), '');
    expect((await here.untildone([...args, '--new'])).code).toBe(0);
    expect(runFolders(here)).toHaveLength(2);
    expect((await here.untildone([...args, '--resume'])).code).toBe(0);
  });

  it.skipIf(noPty !== '')(
    `With autoResume off the same command asks in a terminal; with enabled off it refuses there too [D2]${noPty}`,
    async () => {
      const { place: here, args } = place({ autoResume: false });
      await killed(here, args);
      writeFileSync(join(here.folder, 'go'), '');
      const inTerminal = ['sh', '-c', 'cd "$0" && exec "$@"', here.repo, bin(), ...args];
      const off = here.write(
        'off/untildone/config.jsonc',
        JSON.stringify({ durableSteps: { enabled: false } }),
      );
      const env = { ...here.env, XDG_CONFIG_HOME: join(off, '../..') };
      const refused = await openPty(inTerminal, { env, columns: 300 });
      expect(await refused.ending()).toMatchObject({ kind: 'ended', number: 2 });
      expect(refused.output()).toContain('To start another run: --new');
      refused.close();
      const asking = await openPty(inTerminal, { env: here.env, columns: 300 });
      await asking.seen('has this goal. Resume it as it was, or start a new one? [r/n/q]');
      asking.write('r\r');
      expect(await asking.ending()).toMatchObject({ kind: 'ended', number: 0 });
      expect(asking.output()).toContain('🔄 Resuming from durable session');
      asking.close();
      await until('the terminal to close', () => here.living().length === 0);
      expect(runFolders(here)).toHaveLength(1);
    },
  );
});
