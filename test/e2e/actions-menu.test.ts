// The menu of the action loop in a real terminal: keys, leaving, coming back, and a choice made elsewhere.
import { describe, expect, it } from 'vitest';
import { seesFile } from './agents.ts';
import { eventsOf } from './journal.ts';
import { actionsIn, develop, init, loopFlags, reports } from './loop-agents.ts';
import { newestRun, prompts } from './looking.ts';
import { bin } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import type { Screen } from './screen.ts';
import { noScreen, openScreen } from './screen.ts';
import { until } from './wait.ts';

describe.skipIf(noScreen !== '')(`The menu of the action loop${noScreen}`, () => {
  it('The menu takes a choice by key, arrow or text and shows diff and log; exit saves, and `resume` shows it again [A3] [A6] [A10]', async () => {
    const place = makePlace();
    const part = [reports({ action: 'DEVELOP', message: 'Half of it.' })];
    const screen = openScreen(place);
    try {
      run(screen, place, ['run', 'do it', '--check', seesFile, ...loopFlags(place, [init, part, develop])]);
      await menuOf(screen, 1);
      expect(screen.text()).toContain('do it (iteration 1 of 10, 0 of 1 tasks done)');
      expect(screen.text()).toContain('INIT: success. I read it.');
      expect(screen.text()).toMatch(/› d {2}develop +let the agent work on the open tasks/);
      expect(screen.text()).toMatch(/ {2}x {2}exit +save and leave/);
      expect(screen.isCursorShown()).toBe(true);
      screen.write('x');
      await ended(screen, 6);
      expect(screen.text()).toContain(`Saved. Continue with: untildone resume ${newestRun(place)}`);
      expect(drivers(place)).toEqual([]);

      run(screen, place, ['resume']);
      await menuOf(screen, 1);
      screen.write('tkeep it small');
      screen.key('Enter');
      await menuOf(screen, 2);
      expect(prompts(place, 'builder')[1]).toContain('keep it small');
      expect(screen.text()).toContain('DEVELOP: success. Half of it.');
      screen.write('d');
      await menuOf(screen, 3);
      screen.write('i');
      await until('the diff', () => /── diff ──[\s\S]*\+right/.test(screen.text()));
      screen.write('l');
      await until('the log', () => /── log ──[\s\S]*It is there\./.test(screen.text()));
      await menuOf(screen, 3);
      // Three rows down stands COMPLETE.
      for (const key of ['Down', 'Down', 'Down', 'Enter']) screen.key(key);
      await ended(screen, 0);
      expect(screen.text()).toContain('Loop completed successfully');
    } finally {
      screen.close();
    }
    expect(actionsIn(place)).toEqual([
      'INIT 1 success',
      'DEVELOP 2 success',
      'DEVELOP 3 success',
      'COMPLETE 3 success',
    ]);
  });

  it('The menu closes on a choice, message or stop from another terminal; Ctrl-C saves; a dumb terminal has no menu [A3] [A6] [Q5]', async () => {
    const place = makePlace();
    const screen = openScreen(place);
    try {
      run(screen, place, ['run', 'do it', '--check', seesFile, ...loopFlags(place, [init, develop])]);
      await menuOf(screen, 1);
      const elsewhere = place.start(['choose', 'develop']);
      await ended(screen, 6);
      expect(screen.text()).toMatch(new RegExp(`\\(pid ${elsewhere.pid}\\) chose DEVELOP\\.`));
      expect((await elsewhere.ended).code).toBe(6);

      run(screen, place, ['resume']);
      await menuOf(screen, 2);
      screen.key('C-c');
      await ended(screen, 6);
      expect(screen.text()).toContain('Saved. Continue with');

      run(screen, place, ['resume'], 'TERM=dumb ');
      await ended(screen, 6);
      expect(screen.text()).toContain(`untildone choose develop  --run ${newestRun(place)}`);

      run(screen, place, ['resume']);
      await menuOf(screen, 2);
      expect((await place.untildone(['tell', 'mind the umlauts'])).code).toBe(0);
      await ended(screen, 6);
      expect(screen.text()).toContain('Another command sent a request; the run handles it');
      expect(screen.text()).toContain('Continue with: untildone resume');

      run(screen, place, ['resume']);
      await menuOf(screen, 2);
      expect((await place.untildone(['stop'])).code).toBe(0);
      await ended(screen, 5);
      expect(screen.text()).toContain('The run has ended: stopped.');
    } finally {
      screen.close();
    }
    expect(actionsIn(place)).toEqual(['INIT 1 success', 'DEVELOP 2 success']);
    expect(eventsOf(place).at(-1)).toMatchObject({ type: 'run-ended', outcome: 'stopped' });
  });
});

let runs = 0;

/** Each command has a number, so that nothing on the screen is taken for the trace of an earlier one. */
function run(screen: Screen, place: Place, args: readonly string[], before = ''): void {
  runs += 1;
  const words = `${before}${[bin(), ...args].map((word) => `'${word}'`).join(' ')}`;
  // A script, because a terminal takes no line of any length.
  const script = place.write(
    `on-screen-${runs}.sh`,
    `clear\necho 'begins ${runs}'\n${words}\necho "${runs} ended with $?"\n`,
  );
  screen.write(`sh '${script}'\n`);
}

/** Waits for the menu after so many iterations. */
async function menuOf(screen: Screen, iteration: number): Promise<void> {
  const head = `(iteration ${iteration} of 10`;
  await until(`the menu of iteration ${iteration}`, () => {
    const text = screen.text();
    const shown = text.slice(text.lastIndexOf(`begins ${runs}`));
    const isFresh = text.includes(`begins ${runs}`) && shown.includes(head);
    return isFresh && shown.lastIndexOf('A letter, or') > shown.lastIndexOf(head);
  });
}

async function ended(screen: Screen, code: number): Promise<void> {
  const line = new RegExp(`^${runs} ended with (\\d+)`, 'm');
  const [, seen] = await until('the end', () => line.exec(screen.text()));
  expect(seen).toBe(String(code));
}

function drivers(place: Place): string[] {
  return place
    .living()
    .map(({ command }) => command)
    .filter((command) => command.includes(bin()));
}
