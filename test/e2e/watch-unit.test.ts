// `watch --install` with fake systemctl and loginctl programs that record their calls.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programIn, unitName, unitText } from '#views/waiting/unit-text.ts';
import { parkRun, soon } from './parked.ts';
import { makePlace, type Place } from './place.ts';

describe.skipIf(process.platform !== 'linux')('The unit that starts watch at login [U3]', () => {
  it('`watch --install` shows the unit, writes and starts it after --yes, and names missing variables', async () => {
    const { place, env, unit, calls } = await withSystemd({ linger: 'no' });
    await parkRun(place, {
      condition: soon(3_600_000),
      flags: { agent: ['mine'], check: ['true'], verifier: 'none' },
      env: { MY_KEY: 'secret', KNOWN: 'value' },
    });
    const refused = await place.untildone(['watch', '--install'], { env });
    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain('Description=Untildone: wakes parked runs');
    expect(refused.stderr).toContain('untildone watch --install --yes');
    expect(existsSync(unit)).toBe(false);

    const { code, stdout, stderr } = await place.untildone(['watch', '--install', '--yes'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const text = readFileSync(unit, 'utf8');
    expect(stdout).toContain(text.trim());
    const program = programIn(text);
    expect(existsSync(program?.node ?? '') && existsSync(program?.cli ?? '')).toBe(true);
    expect(text).toContain(`Environment="XDG_STATE_HOME=${place.stateHome}"`);
    expect(text).not.toContain('secret');
    expect(stdout).toContain(
      'Linger is off: the unit ends when you log out. To keep it running: loginctl enable-linger',
    );
    expect(stdout).toContain('need these variables, which the unit does not have: MY_KEY\n');
    expect(stdout).toContain('systemctl --user edit untildone-watch');
    expect(calls()).toContain('systemctl --user daemon-reload');
    expect(calls()).toContain(`systemctl --user enable --now ${unitName}`);

    const removed = await place.untildone(['watch', '--uninstall', '--yes'], { env });
    expect(removed).toMatchObject({ code: 0, stdout: `Removed ${unit}.\n` });
    expect(existsSync(unit)).toBe(false);
    expect(calls()).toContain(`systemctl --user disable --now ${unitName}`);
    const again = await place.untildone(['watch', '--uninstall', '--yes'], { env });
    expect(again).toMatchObject({ code: 0, stdout: `There is no unit at ${unit}.\n` });
  });

  it('If systemctl cannot be used, `watch --install` says so and still writes the unit', async () => {
    const { place, env, unit } = await withSystemd({ linger: 'yes', isBroken: true });
    const { code, stdout } = await place.untildone(['watch', '--install', '--yes'], { env });
    expect(code).toBe(1);
    expect(stdout).toContain('systemctl --user cannot be used here: Failed to connect to bus');
    expect(stdout).toContain('Linger is on');
    expect(existsSync(unit)).toBe(true);
  });

  it('`doctor` names a unit whose programs are gone, or that does not run', async () => {
    const { place, env, unit } = await withSystemd({ linger: 'yes' });
    await place.untildone(['watch', '--install', '--yes'], { env });
    writeFileSync(join(place.folder, 'inactive'), '');
    expect((await place.untildone(['doctor'], { env })).stdout).toContain('it is not running (failed)');
    writeFileSync(unit, unitText({ node: '/gone/node', cli: '/gone/untildone.js', env: {} }));
    const { stdout } = await place.untildone(['doctor'], { env });
    expect(stdout).toContain('/gone/node is gone. Write it again: untildone watch --install');
  });
});

interface Systemd {
  readonly place: Place;
  readonly env: { readonly [name: string]: string };
  readonly unit: string;
  readonly calls: () => string[];
}

async function withSystemd({ linger = 'no', isBroken = false }): Promise<Systemd> {
  const place = makePlace();
  const log = join(place.folder, 'calls');
  const head = `#!/bin/sh\necho "$(basename "$0") $*" >> '${log}'\n`;
  const bus = isBroken ? 'echo "Failed to connect to bus: No medium found" >&2; exit 1\n' : '';
  const active = `case "$*" in *is-active*)\n  if [ -f '${place.folder}/inactive' ]; then echo failed; exit 3; fi\n  [ -f '${place.folder}/enabled' ] || exit 3;;\n*enable*) touch '${place.folder}/enabled';;\n*show-environment) echo KNOWN=1;;\nesac\n`;
  place.write('bin/systemctl', `${head}${bus}${active}`);
  place.write('bin/loginctl', `${head}echo Linger=${linger}\n`);
  for (const name of ['systemctl', 'loginctl']) place.makeExecutable(`bin/${name}`);
  const agent = { driver: 'command', command: ['true'], env: ['MY_KEY', 'KNOWN'] };
  place.write('config/untildone/config.jsonc', JSON.stringify({ agents: { mine: agent } }));
  return {
    place,
    env: { PATH: `${join(place.folder, 'bin')}:${place.env['PATH'] ?? ''}` },
    unit: join(place.folder, 'config/systemd/user', unitName),
    calls: () => readFileSync(log, 'utf8').trim().split('\n'),
  };
}
