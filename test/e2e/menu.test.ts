// The menu in a real pseudo-terminal: every key, every way out, and the settings of the terminal afterwards.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../tidy/repository.ts';
import type { Ending, Pty, PtyOptions } from './pty.ts';
import { noPty, openPty } from './pty.ts';
import { noScreen, openScreen } from './screen.ts';
import { until } from './wait.ts';

const script = 'script';
const noScript =
  spawnSync(script, ['--version']).status === 0 ? '' : ' without a shell — NOT RUN: script is not installed';
for (const note of [noPty, noScreen, noScript]) if (note !== '') process.stderr.write(`The menu${note}.\n`);

const driver = join(root, 'test/e2e/menu-driver.ts');
const prompt = 'A letter, or ↑ ↓ and Enter: ';
const { SIGINT, SIGTERM, SIGTSTP, SIGSTOP, SIGTTOU } = constants.signals;
const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const clean of cleanups.splice(0).toReversed()) clean();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'untildone-menu-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface ShownMenu extends Pty {
  /** What the menu came to, once the program has written it down. */
  result(): Promise<unknown>;
  /** How often a SIGHUP would have ended the program until then. */
  hangUpGaps(): Promise<unknown>;
}

async function start(
  options: PtyOptions = {},
  wrap: (command: string[]) => string[] = (c) => c,
): Promise<ShownMenu> {
  const folder = makeFolder();
  const file = join(folder, 'result.json');
  const env = { TERM: 'xterm-256color', ...options.env };
  const pty = await openPty(wrap([process.execPath, driver, file]), { ...options, env });
  cleanups.push(() => pty.close());
  const written = async (): Promise<{ result: unknown; hangUpGaps: unknown }> => {
    await until('the result', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
    return JSON.parse(readFileSync(file, 'utf8')) as { result: unknown; hangUpGaps: unknown };
  };
  return {
    ...pty,
    result: async () => (await written()).result,
    hangUpGaps: async () => (await written()).hangUpGaps,
  };
}

async function shown(options: PtyOptions = {}): Promise<ShownMenu> {
  const menu = await start(options);
  await menu.seen(prompt);
  return menu;
}

/** The program ended by itself, and the terminal has the settings it had. */
function isRestored(ending: Ending, menu: Pty): void {
  expect(ending).toEqual({ kind: 'ended', number: 0, settings: menu.before });
  const output = menu.output();
  const [on, off] = [output.lastIndexOf('\u001B[?2004h'), output.lastIndexOf('\u001B[?2004l')];
  expect(off).toBeGreaterThanOrEqual(on);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe.skipIf(noPty !== '')(`The menu in a pseudo-terminal${noPty}`, () => {
  it('Arrows move the mark, Enter selects it, and the terminal is raw only while the menu is open [A4]', async () => {
    const menu = await shown();
    expect(await menu.settings()).not.toBe(menu.before);
    menu.write('\u001B[B\u001B[B\u001B[B\u001B[A\r');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'chosen', name: 'validate', text: null });
    // Moves up, erases rows, colours, marks pastes: no other screen, no hidden cursor, no title.
    const foreign = menu
      .output()
      .split('\u001B')
      .slice(1)
      .filter((after) => !/^\[(A|2K|[012]m|\?2004[hl])/.test(after));
    expect(foreign).toEqual([]);
    expect(menu.output()).toContain('\u001B[2K› validate\r\n\u001B[?2004l');
  });

  it('A sequence that comes in pieces is one key, however long the pieces take [A4]', async () => {
    const menu = await shown();
    for (const piece of ['\u001B', '[', 'B']) menu.write(piece);
    await menu.seen('› b  debug');
    menu.write('\u001B');
    menu.write('OB');
    await menu.seen('› v  validate');
    menu.write('\r');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toMatchObject({ name: 'validate' });
  });

  it('A letter chooses directly, and the letter of the exit leaves [A4]', async () => {
    const menu = await shown();
    menu.write('c');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'chosen', name: 'complete', text: null });
    const other = await shown();
    other.write('x');
    isRestored(await other.ending(), other);
    expect(await other.result()).toEqual({ kind: 'left', why: 'exit' });
  });

  it('A line with umlauts and emoji reaches the agent, byte by byte and corrected [A4]', async () => {
    const menu = await shown();
    menu.write('t');
    await menu.seen('Text for develop: ');
    for (const byte of Buffer.from('Grüße 👋👩‍👩‍👧')) menu.write(Buffer.from([byte]));
    await menu.seen('Grüße 👋👩‍👩‍👧');
    menu.write('\u007F\u007F\u001B[B');
    await menu.seen('Text for debug: Grüße ');
    menu.write('手順\r');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'chosen', name: 'debug', text: 'Grüße 手順' });
  });

  it('A paste becomes a line for the agent and chooses nothing; Esc goes back to the list [A4]', async () => {
    const menu = await shown();
    menu.write('\u001B[200~do\rnot x \u001B]0;t\u0007this\u001B[201~');
    const typed = await menu.seen('Text for develop: do not x this');
    menu.write('\u001B');
    const listed = await menu.seen(prompt, typed);
    menu.write('t');
    await menu.seen('do not x this', listed);
    menu.write('!\r');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'chosen', name: 'develop', text: 'do not x this!' });
  });

  it('Keys that were pressed before the menu was shown choose nothing [A4]', async () => {
    const menu = await start({ env: { MENU: 'read-ahead' } });
    await menu.seen('working');
    menu.write('d\rx');
    await menu.seen('d\r\nx');
    menu.resize(81, 24);
    await menu.seen(prompt);
    menu.write('v');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toMatchObject({ kind: 'chosen', name: 'validate' });
  });

  it('An aside is printed above the menu, also one that fails, and cannot control the terminal [A4]', async () => {
    const menu = await shown();
    menu.write('f');
    const diff = await menu.seen('── diff ──\r\n+ one line\r\n- another\r\n');
    const again = await menu.seen(prompt, diff);
    menu.write('l');
    await menu.seen('Cannot show this: no log yet', again);
    menu.write('s');
    await menu.seen('Reading: status …');
    menu.write('\u0003');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'left', why: 'interrupt' });
    for (const steering of ['\u001B]', '\u0007', '\u001B[31m']) expect(menu.output()).not.toContain(steering);
  });

  it('A menu without colours writes none; a terminal that cannot be redrawn gets no menu [A4]', async () => {
    const menu = await shown({ env: { NO_COLOR: '1' } });
    menu.write('d');
    isRestored(await menu.ending(), menu);
    for (const style of [0, 1, 2]) expect(menu.output()).not.toContain(`\u001B[${style}m`);
    const dumb = await start({ env: { TERM: 'dumb' } });
    isRestored(await dumb.ending(), dumb);
    expect(await dumb.result()).toEqual({ kind: 'no menu' });
    expect(dumb.output()).toBe('');
  });
});

describe.skipIf(noPty !== '')(`Ways to leave the menu${noPty}`, () => {
  it('Ctrl-C leaves the menu, and the next one is an ordinary interrupt [A4]', async () => {
    const menu = await shown({ env: { MENU: 'lingers' } });
    menu.write('\u0003');
    expect(await menu.result()).toEqual({ kind: 'left', why: 'interrupt' });
    expect(await menu.settings()).toBe(menu.before);
    menu.write('\u0003');
    expect(await menu.ending()).toEqual({ kind: 'killed', number: SIGINT, settings: menu.before });
  });

  it('Two Ctrl-C that arrive together end the program at once [A4]', async () => {
    const menu = await shown({ env: { MENU: 'lingers' } });
    menu.write('\u0003\u0003');
    expect(await menu.ending()).toEqual({ kind: 'killed', number: SIGINT, settings: menu.before });
  });

  it('Ctrl-D leaves the menu [A4]', async () => {
    const menu = await shown();
    menu.write('\u0004');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'left', why: 'end-of-input' });
  });

  it.each([
    ['SIGINT', 'interrupt'],
    ['SIGTERM', 'terminate'],
    ['SIGQUIT', 'terminate'],
    ['SIGHUP', 'hang-up'],
  ] as const)('%s leaves the menu, with the terminal as it was [A4]', async (signal, why) => {
    const menu = await shown();
    menu.signal(signal);
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'left', why });
  });

  it('A closed terminal ends the menu, and no busy loop follows [A4]', async () => {
    const menu = await shown();
    menu.hangUp();
    expect(await menu.ending()).toEqual({ kind: 'ended', number: 0, settings: null });
    expect(await menu.result()).toEqual({ kind: 'left', why: 'terminal-lost' });
  });

  it('The signals of a closed terminal do not interrupt the saving that follows [A4]', async () => {
    const menu = await shown({ env: { MENU: 'lingers' } });
    menu.hangUp();
    for (let time = 0; time < 3; time += 1) menu.signal('SIGHUP');
    const why = expect.stringMatching(/^(terminal-lost|hang-up)$/) as string;
    expect(await menu.result()).toEqual({ kind: 'left', why });
    expect(await menu.hangUpGaps()).toBe(0);
    for (let time = 0; time < 3; time += 1) menu.signal('SIGHUP');
    menu.signal('SIGTERM');
    expect(await menu.ending()).toMatchObject({ kind: 'killed', number: SIGTERM });
  });

  it('A control from another process closes the menu, and the menu says so [A4]', async () => {
    const menu = await shown();
    menu.write('thalf a line');
    await menu.seen('half a line');
    menu.signal('SIGUSR2');
    isRestored(await menu.ending(), menu);
    const why = 'Ann paused this run at another terminal.';
    expect(await menu.result()).toEqual({ kind: 'closed', why });
    expect(menu.output()).toContain(`\u001B[2K${why}\r\n`);
  });

  it('A control that came before the menu prevents it, and the program says so [A4]', async () => {
    const menu = await start({ env: { MENU: 'is-closed' } });
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toMatchObject({ kind: 'closed' });
    expect(menu.output()).toContain('Ann paused this run at another terminal.\r\n');
    expect(menu.output()).not.toContain('develop');
  });

  it('A program can show one menu after the other [A4]', async () => {
    const menu = await shown({ env: { MENU: 'twice' } });
    menu.write('j\r');
    const first = await menu.seen('› debug\r\n');
    await menu.seen(prompt, first);
    expect(await menu.settings()).not.toBe(menu.before);
    menu.write('\u0003');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual([
      { kind: 'chosen', name: 'debug', text: null },
      { kind: 'left', why: 'interrupt' },
    ]);
  });

  it('An internal error and an exit in the middle leave the terminal as it was [A4]', async () => {
    const menu = await shown({ env: { MENU: 'breaks' } });
    menu.write('j');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ error: 'Error: the head broke' });
    const other = await shown();
    other.write('e');
    expect(await other.ending()).toEqual({ kind: 'ended', number: 7, settings: other.before });
    expect(other.output().endsWith('\u001B[?2004l')).toBe(true);
  });
});

describe.skipIf(noPty !== '')(`The menu and the shell${noPty}`, () => {
  it('Ctrl-Z returns the terminal and stops; the menu is drawn again afterwards [A4]', async () => {
    const menu = await shown();
    menu.write('j\u001A');
    expect(await menu.ending()).toEqual({ kind: 'stopped', number: SIGTSTP, settings: menu.before });
    const stoppedAt = menu.output().length;
    expect(menu.output().endsWith('\u001B[?2004l')).toBe(true);
    menu.resume();
    await menu.seen(prompt, stoppedAt);
    expect(await menu.settings()).not.toBe(menu.before);
    expect(count(menu.output().slice(stoppedAt), prompt)).toBe(1);
    menu.write('\r');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toMatchObject({ kind: 'chosen', name: 'debug' });
  });

  it('The signal of Ctrl-Z from another process does the same, each time it comes [A4]', async () => {
    const menu = await shown();
    for (let time = 0; time < 3; time += 1) {
      const from = menu.output().length;
      menu.signal('SIGTSTP');
      expect(await menu.ending()).toEqual({ kind: 'stopped', number: SIGTSTP, settings: menu.before });
      menu.resume();
      await menu.seen(prompt, from);
    }
    menu.write('d');
    isRestored(await menu.ending(), menu);
  });

  it('A menu that continues in the background leaves the terminal to the shell until it is in the foreground again [A4]', async () => {
    const menu = await shown();
    menu.write('\u001A');
    expect(await menu.ending()).toMatchObject({ kind: 'stopped', number: SIGTSTP });
    const stoppedAt = menu.output().length;
    menu.resume('bg');
    expect(await menu.ending()).toEqual({ kind: 'stopped', number: SIGTTOU, settings: menu.before });
    expect(menu.output()).toHaveLength(stoppedAt);
    menu.resume();
    await menu.seen(prompt, stoppedAt);
    menu.write('jv');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toMatchObject({ kind: 'chosen', name: 'validate' });
    // Drawn once for both continuations, and once for the key.
    expect(count(menu.output().slice(stoppedAt), prompt)).toBe(2);
  });

  it('A signal that ends a stopped menu leaves the terminal as it was [A4]', async () => {
    const menu = await shown();
    menu.write('\u001A');
    expect(await menu.ending()).toMatchObject({ kind: 'stopped', settings: menu.before });
    menu.signal('SIGTERM');
    menu.resume();
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'left', why: 'terminate' });
  });

  it('After a stop that could not be announced, the menu is drawn again and reads keys [A4]', async () => {
    const menu = await shown();
    menu.signal('SIGSTOP');
    expect(await menu.ending()).toMatchObject({ kind: 'stopped', number: SIGSTOP });
    const stoppedAt = menu.output().length;
    menu.resume();
    await menu.seen(prompt, stoppedAt);
    expect(menu.output().slice(stoppedAt)).not.toContain('\u001B[A');
    expect(await menu.settings()).not.toBe(menu.before);
    menu.write('v');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toMatchObject({ name: 'validate' });
  });

  it.skipIf(noScript !== '')(
    'If no shell could continue it, Ctrl-Z leaves the menu as it is [A4]',
    async () => {
      const menu = await start({}, (command) => [script, '-qec', command.join(' '), '/dev/null']);
      const first = await menu.seen(prompt);
      menu.write('\u001A');
      await menu.seen(prompt, first);
      menu.write('v');
      expect(await menu.ending()).toMatchObject({ kind: 'ended', number: 0 });
      expect(await menu.result()).toMatchObject({ kind: 'chosen', name: 'validate' });
    },
  );

  it('A resized window gets a menu of its size at once [A4]', async () => {
    const menu = await shown({ env: { NO_COLOR: '1' } });
    const before = menu.output().length;
    menu.resize(40, 24);
    await menu.seen('save and leave;\r\n               untildone resume goes on\r\n', before);
    await menu.seen(prompt, before);
    menu.resize(20, 5);
    await menu.seen('1/5 > ');
    menu.write('\u001B[A');
    await menu.seen('5/5 > ');
    menu.write('\r');
    isRestored(await menu.ending(), menu);
    expect(await menu.result()).toEqual({ kind: 'left', why: 'exit' });
  });
});

describe.skipIf(noScreen !== '')(`The menu on a screen${noScreen}`, () => {
  it('The screen shows only one menu at any window size, and none after a choice [A4]', async () => {
    const folder = makeFolder();
    const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
    const screen = openScreen({ folder, repo: folder, env }, { columns: 80, lines: 24 });
    cleanups.push(() => screen.close());
    const file = join(folder, 'result.json');
    screen.write(`'${process.execPath}' '${driver}' '${file}'; echo "ended with $?"\n`);
    const rows = (): string[] =>
      screen
        .visible()
        .split('\n')
        .map((row) => row.trimEnd());
    const isSettled = (): boolean =>
      count(screen.visible(), '› d  develop') === 1 &&
      rows().filter((row) => row.startsWith('Goal:')).length <= 1 &&
      rows().some((row) => row === prompt.trimEnd() || row.endsWith('>'));
    for (const [columns, lines] of [
      [80, 24],
      [60, 24],
      [40, 24],
      [20, 5],
      [40, 10],
      [80, 24],
      [120, 40],
    ] as const) {
      screen.resize(columns, lines);
      await until(`a menu at ${columns} columns`, isSettled, { sign: () => screen.visible() });
    }
    expect(screen.isCursorShown()).toBe(true);
    screen.write('v');
    await until('the end', () => /ended with 0/.test(screen.text()));
    expect(rows().filter((row) => /develop|Goal:|letter/.test(row))).toEqual([]);
    expect(rows()).toContain('› validate');
    screen.write('echo typed\n');
    await until('the shell', () => /^typed$/m.test(screen.text()));
    expect(screen.visible()).toContain('echo typed');
  });
});
