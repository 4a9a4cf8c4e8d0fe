// The lines that name what takes the time: with a spinner on a terminal, plain elsewhere. Each program here
// waits for a file, so that the test decides how long it takes.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saysDone, shellAgents } from './agents.ts';
import { bin, startProgram } from './package.ts';
import { makePlace, type Place } from './place.ts';
import { send } from './processes.ts';
import { noScreen, openScreen, type Screen } from './screen.ts';
import { until } from './wait.ts';

const spinner = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/;

describe.skipIf(noScreen !== '')(`What takes the time, on a screen${noScreen}`, () => {
  it.each([80, 140])(
    'A run names the setup, each check, its repetition, its calibration and the session, at %i columns [Q9]',
    async (columns) => {
      const gates = makeGates();
      const screen = openScreen(gates.place, { columns, env: { UNTILDONE_CHECK_RUNS: '2' } });
      try {
        screen.write(`${gates.command}; echo "ended with $?"\n`);
        await shown(screen, /. installing dependencies: .*setup\.sh, \d+s$/m);
        gates.open('setup');
        await shown(screen, /. running .*check\.sh, \d+s$/m);
        expect(screen.visible()).toContain('Status: checking the base');
        gates.open('check-1');
        await shown(screen, /. waiting for the builder \(command:.*, \d+s/);
        gates.open('builder');
        await shown(screen, /Status: running the checks[^]*. running .*check\.sh, \d+s$/m);
        // A slow first pass at the acceptance would not be repeated.
        gates.open('check-3');
        gates.open('check-2');
        await shown(
          screen,
          /Status: final acceptance[^]*. running .*check\.sh again, 2 of at most 2, \d+s$/m,
        );
        gates.open('check-4');
        await shown(screen, /. calibrating .*check\.sh: running it on the base again, \d+s$/m);
        gates.open('all');
        await shown(screen, /ended with 0/);
        expect(screen.text()).not.toMatch(spinner);
        expect(screen.text().split('workspace ready')).toHaveLength(2);
        expect(screen.text().split('checks done')).toHaveLength(4);
      } finally {
        gates.open('all');
        screen.close();
      }
    },
  );

  it('A window that becomes narrow and wide again leaves one frame, and no line wraps [B9]', async () => {
    const gates = makeGates();
    const screen = openScreen(gates.place, { columns: 140 });
    try {
      screen.write(`${gates.command}; echo "ended with $?"\n`);
      await shown(screen, /installing dependencies: .*, \d+s$/m);
      for (const columns of [40, 140, 40]) {
        screen.resize(columns, 40);
        const line = new RegExp(
          `^. installing dependencies: ${columns === 40 ? '.*…' : '.*setup\\.sh'}.*, \\d+s$`,
          'm',
        );
        const [, before = ''] = /, (\d+s)$/.exec(await shown(screen, line)) ?? [];
        // A terminal may pass on two changes within a moment late.
        await until('the next second', () => !line.exec(screen.visible())?.[0].endsWith(` ${before}`));
        for (const part of ['Progress: [', 'Cost: ', 'installing dependencies'])
          expect([part, count(screen, part)]).toEqual([part, 1]);
      }
      gates.open('all');
      await shown(screen, /ended with 0/);
      expect(screen.text()).not.toMatch(spinner);
    } finally {
      gates.open('all');
      screen.close();
    }
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'A command that is ended by %s during a wait leaves nothing of its spinner behind [B9]',
    async (signal) => {
      const place = makePlace();
      place.write('bin/gh', `#!/bin/sh\n${waitFor(place, 'gh')}\nexit 1\n`);
      place.makeExecutable('bin/gh');
      const path = `${join(place.folder, 'bin')}:${place.env['PATH'] ?? ''}`;
      const screen = openScreen(place, { env: { PATH: path } });
      try {
        screen.write(`sh -c 'echo $$ > ../pid; exec ${bin()} import --from github'\n`);
        await shown(screen, /^. reading issues from GitHub, \d+s$/m);
        send(Number(place.read('pid')), signal);
        // Typed now: after SIGINT a shell drops the rest of its line.
        screen.write('echo "ended with $?"\n');
        await shown(screen, /ended with \d+/);
        expect(screen.text()).not.toMatch(spinner);
        expect(screen.text()).not.toContain('reading issues');
        expect(screen.isCursorShown()).toBe(true);
      } finally {
        writeFileSync(join(place.folder, 'gh.go'), '');
        screen.close();
      }
    },
  );
});

describe('What takes the time, without a terminal that can be redrawn', () => {
  it('A pipe gets one plain line for each long operation, and no control characters [X3]', async () => {
    const gates = makeGates();
    const run = gates.place.start(gates.args);
    await until('the setup', () => /installing dependencies: .*setup\.sh …\n/.test(run.stdout()));
    gates.open('setup');
    await until('the check', () => /running .*check\.sh …\n/.test(run.stdout()));
    gates.open('all');
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toMatch(controls);
    expect(stdout + stderr).not.toMatch(spinner);
    expect(stdout.match(/installing dependencies/g)).toHaveLength(1);
  });

  it.each([
    ['a dumb terminal', { TERM: 'dumb' }, []],
    ['CI', { TERM: 'xterm-256color', CI: '1', NO_COLOR: '1' }, []],
    ['--json', { TERM: 'xterm-256color' }, ['--json']],
  ] as const)('The output of a run has no spinner and moves no cursor in %s [X3]', async (_, env, more) => {
    const gates = makeGates();
    const command = `${gates.command} ${more.join(' ')}`;
    const run = startProgram('script', ['-qec', command, '/dev/null'], {
      cwd: gates.place.repo,
      env: { ...gates.place.env, ...env },
      outputDir: join(gates.place.folder, 'output'),
    });
    await until('the setup', () => existsSync(join(gates.place.folder, 'setup.on')));
    await until('a line about it', () => run.stdout().includes('setup.sh'));
    gates.open('all');
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout.replaceAll('\r\n', '\n')).not.toMatch(controls);
    expect(stdout).not.toMatch(spinner);
  });

  it('NO_COLOR keeps the spinner and drops the colours [X3]', async () => {
    const gates = makeGates();
    const run = startProgram('script', ['-qec', gates.command, '/dev/null'], {
      cwd: gates.place.repo,
      env: { ...gates.place.env, TERM: 'xterm-256color', NO_COLOR: '1' },
      outputDir: join(gates.place.folder, 'output'),
    });
    await until('the spinner', () => spinner.test(run.stdout()));
    gates.open('all');
    expect((await run.ended).code).toBe(0);
    // oxlint-disable-next-line no-control-regex -- colours are what must be missing
    expect(run.stdout()).not.toMatch(/\u001B\[[\d;]*m/);
  });
});

/** A repository whose setup, builder and numbered runs of its check wait until they are let through. */
function makeGates() {
  const place = makePlace();
  const open = (name: string): void => writeFileSync(join(place.folder, `${name}.go`), '');
  const runs = join(place.folder, 'runs');
  const setup = place.write('setup.sh', `${waitFor(place, 'setup')}\n`);
  const check = place.write(
    'check.sh',
    `echo x >> '${runs}'; n=$(wc -l < '${runs}' | tr -d ' ')\n${waitFor(place, 'check-$n')}\ngrep -q right done.txt\n`,
  );
  const builder = `${waitFor(place, 'builder')}; echo right > done.txt; ${saysDone}`;
  const agents = shellAgents(place, { builder });
  const args = ['run', 'do it', '--setup', `sh ${setup}`, '--check', `sh ${check}`, ...agents];
  const command = [bin(), ...args].map((word) => `'${word}'`).join(' ');
  return { place, open, args, command };
}

function waitFor({ folder }: Place, name: string): string {
  const at = (end: string): string => `"${folder}/${name}.${end}"`;
  return `touch ${at('on')}; while [ ! -e ${at('go')} ] && [ ! -e "${folder}/all.go" ]; do sleep 0.05; done`;
}

async function shown(screen: Screen, pattern: RegExp): Promise<string> {
  return until(`${pattern} on the screen`, () => pattern.exec(screen.visible())?.[0], {
    stepMs: 50,
    sign: () => screen.visible().replaceAll(/\d|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, ''),
  });
}

function count(screen: Screen, part: string): number {
  return screen.visible().split(part).length - 1;
}
