// The live display on a real terminal: while the run works, and what remains on the screen.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, scriptedAgent, seesFile, shellAgents } from './agents.ts';
import { bin, startProgram } from './package.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { noScreen, openScreen } from './screen.ts';
import { until } from './wait.ts';

describe.skipIf(!isThere('script', '--version'))('Output on a pseudo-terminal', () => {
  it('A run only moves the cursor and colours on a terminal, and leaves the terminal as it was [B9] [Q9]', async () => {
    const place = makePlace();
    const builder = `echo "a line"; printf 'bell \\007 title \\033]0;owned\\007 clear \\033[2J \\033[?1049h'; sleep 0.4; echo right > done.txt; ${saysDone}`;
    const { code, stdout } = await onTerminal(place, runCommand(shellAgents(place, { builder })));
    expect(code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- colours are what is left out
    const text = stdout.replaceAll(/\u001B\[[\d;]*m/g, '');
    expect(text).toContain('✅ Completed');
    expect(text).toContain('Progress: [');
    // Up, erase a line or below, colours, cursor off and on: no title, no clearing, no other screen.
    const foreign = stdout
      .split('\u001B')
      .slice(1)
      .filter((after) => !/^\[(\d*A|0?J|2K|[\d;]*m|\?25[lh])/.test(after));
    expect(foreign).toEqual([]);
    expect(stdout).not.toContain('\u0007');
    expect(count(stdout, '\u001B[?25l')).toBe(count(stdout, '\u001B[?25h'));
    expect(stdout).not.toMatch(/undefined|NaN|\[object/);
  });

  it('A run with --json prints nothing but JSON, also on a terminal [X6] [X3]', async () => {
    const place = makePlace();
    const agents = shellAgents(place, { builder: `echo right > done.txt; ${saysDone}` });
    const { code, stdout } = await onTerminal(place, `${runCommand(agents)} --json`);
    expect(code).toBe(0);
    const lines = stdout.trim().split(/\r?\n/);
    expect(lines.map((line) => typeof JSON.parse(line))).not.toContain('string');
    expect(stdout).not.toContain('\u001B');
  });
});

describe.skipIf(noScreen !== '')(`Output on a screen${noScreen}`, () => {
  it('A run shows its progress in one place, obeys Ctrl-C, and leaves no partial frame behind [B9] [Q5] [Q9]', async () => {
    const place = makePlace();
    const agents = scriptedAgent(place, [
      {
        role: 'builder',
        actions: [
          { run: `touch '${place.folder}/started'` },
          ...Array.from({ length: 30 }, (_, index) => ({ say: `thought ${index} ${'long '.repeat(40)}\n` })),
          { sleep: 60_000 },
          { write: { path: 'done.txt', text: 'right\n' } },
          { say: '===WIGGUM_COMPLETE===\n' },
        ],
      },
      { role: 'verifier', actions: [{ say: '===VERIFIER_COMPLETE===\n' }] },
    ]);
    const screen = openScreen(place);
    try {
      screen.write(`${runCommand(agents)}; echo "ended with $?"\n`);
      await until('the session', () => existsSync(join(place.folder, 'started')));
      await until(
        'the frame',
        () => /Progress: \[0 of 2\]/.test(screen.text()) && /thought 29/.test(screen.text()),
      );
      expect(count(screen.text(), 'Progress: [')).toBe(1);
      expect(count(screen.text(), 'Cost: ')).toBe(1);
      screen.key('C-c');
      await until('the end', () => /ended with \d/.test(screen.text()));
      expect(screen.text()).toMatch(/ended with 6/);
      expect(screen.text()).toMatch(/Continue with: untildone resume/);
      expect(count(screen.text(), 'Cost: ')).toBe(0);
      expect(screen.isCursorShown()).toBe(true);
    } finally {
      screen.close();
    }
    expect((await place.untildone(['stop'])).code).toBe(0);
  });
});

function runCommand(agents: readonly string[]): string {
  return [bin(), 'run', 'do it', '--check', seesFile, ...agents].map((word) => `'${word}'`).join(' ');
}

async function onTerminal(place: Place, command: string) {
  const options = {
    cwd: place.repo,
    env: { ...place.env, TERM: 'xterm-256color' },
    outputDir: join(place.folder, 'output'),
  };
  return startProgram('script', ['-qec', `stty cols 100 rows 30; ${command}`, '/dev/null'], options).ended;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function isThere(program: string, flag: string): boolean {
  return spawnSync(program, [flag]).status === 0;
}
