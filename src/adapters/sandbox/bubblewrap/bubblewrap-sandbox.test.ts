import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTrialGround } from '#adapters/sandbox/trial-ground.ts';
import { runWrapped } from '#test/run-wrapped.ts';
import { sandboxContract } from '#test/sandbox/contract.ts';
import { describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from './bubblewrap-sandbox.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { mountArguments } from './mounts.ts';

const found = findBubblewrap();
const source = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const ownProgram = [process.execPath, source, join(source, '../package.json')];
const bridge = [process.execPath, join(source, 'surfaces/host/main.ts'), 'bridge'] as const;

for (const isNetworkShared of [false, true])
  sandboxContract({
    name: isNetworkShared ? 'bubblewrap, with a network that programs share' : 'bubblewrap',
    missing: 'problem' in found ? found.problem : null,
    ownProgram,
    create: (rules) =>
      createBubblewrapSandbox({
        bubblewrap: 'path' in found ? found.path : '',
        rules,
        bridge,
        env: process.env,
        isNetworkShared,
      }),
  });

describe.runIf('path' in found)('a bubblewrap sandbox', () => {
  it("A bubblewrap home has the person's path names, also through links to other disks, and exposes nothing of ours [C10]", async () => {
    const bed = await makeTrialGround(ownProgram);
    const named = join(bed.folder, 'people');
    symlinkSync(bed.folder, named);
    mkdirSync(join(bed.home, '.tool'));
    writeFileSync(
      join(bed.home, '.tool/run'),
      '#!/bin/sh\ncd ~ && pwd && cat .ssh/id; echo x > left; cat $XDG_STATE_HOME/journal.jsonl; grep -ls planted /proc/[0-9]*/environ; cat /proc/self/fd/*/.ssh/id; ls /proc/self/fd | wc -l; mkdir $XDG_STATE_HOME/mine && echo end\n',
    );
    chmodSync(join(bed.home, '.tool/run'), 0o755);
    const rules = { ...bed.rules, readable: [...bed.rules.readable, join(named, 'home/.tool')] };
    const bubblewrap = 'path' in found ? found.path : '';
    const sandbox = createBubblewrapSandbox({ bubblewrap, rules, bridge, env: {} });
    const home = join(named, 'home');
    const program = { file: join(home, '.tool/run'), args: [], cwd: bed.worktree, isServed: false };
    const env = {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      XDG_STATE_HOME: join(bed.folder, 'state'),
      https_proxy: 'http://ada:planted@proxy.example:3128',
    };
    const wrapped = sandbox.wrap({ ...program, env });
    // As a terminal may leave it open.
    const folder = openSync(bed.home, 'r');
    const { stdout } = runWrapped(wrapped, [folder]);
    closeSync(folder);
    await wrapped.release();
    sandbox.close();
    // Its own three, and the folder that it lists.
    expect(stdout).toBe(`${home}\n4\nend\n`);
    expect(readdirSync(join(bed.folder, 'state'))).not.toContain('mine');
    expect(bed.read('home/left')).toBeNull();
    await bed.dispose();
  });
});

describe('sandbox mounts', () => {
  it('Deeper mounts come later, and hidden paths come last', () => {
    const args = mountArguments([
      { kind: 'write', path: '/usr/lib', from: '/usr/lib' },
      { kind: 'hide', path: '/usr' },
    ]);
    expect(args).toEqual(['--tmpfs', '/usr', '--bind', '/usr/lib', '/usr/lib', '--remount-ro', '/usr']);
  });

  it('A hidden file is mounted as an empty file, so that a program continues', () => {
    expect(mountArguments([{ kind: 'hide', path: '/etc/hosts' }], '/made/empty')).toEqual([
      '--ro-bind',
      '/made/empty',
      '/etc/hosts',
    ]);
  });

  it('The later of two mounts for one path wins, and missing paths are left out', () => {
    const args = mountArguments([
      { kind: 'hide', path: '/usr' },
      { kind: 'write', path: '/usr' },
      { kind: 'read', path: '/nowhere/at/all' },
    ]);
    expect(args).toEqual(['--bind', '/usr', '/usr']);
  });

  it('A read-only path gets a mount only if another mount covers it, because the machine is read-only', () => {
    expect(mountArguments([{ kind: 'read', path: '/usr/lib' }])).toEqual([]);
    expect(
      mountArguments([
        { kind: 'read', path: '/usr' },
        { kind: 'read', path: '/usr/lib' },
      ]),
    ).toEqual([]);
    const inside = mountArguments([
      { kind: 'write', path: '/usr', from: '/usr' },
      { kind: 'read', path: '/usr/lib' },
    ]);
    expect(inside).toEqual(['--bind', '/usr', '/usr', '--ro-bind', '/usr/lib', '/usr/lib']);
    expect(mountArguments([{ kind: 'read', path: '/usr', from: '/etc' }])).toEqual([
      '--ro-bind',
      '/etc',
      '/usr',
    ]);
    const kernel = '/proc/sys/kernel';
    expect(mountArguments([{ kind: 'read', path: kernel }])).toEqual(['--ro-bind', kernel, kernel]);
  });
});
