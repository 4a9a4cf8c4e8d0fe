// The same command, started twice at the same moment.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import type { Running } from './package.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { send } from './processes.ts';
import { until } from './wait.ts';

it('Two identical commands started together make one run, and the second is refused with the name of the holder [B13] [Q4]', async () => {
  const { place, args, env } = stalled();
  const both = [place.start(args, { env }), place.start(args, { env })];
  // Both have searched for the run and create it now, or one of them waits for the other.
  await until('both', () => arrivals(place).length === 2 || both.find(waits));
  expect(arrivals(place)).toHaveLength(1);
  rmSync(join(place.folder, 'stall'));
  const refused = await Promise.race(both.map(async (one) => ({ one, end: await one.ended })));
  const driver = both.find((one) => one !== refused.one);
  expect(refused.end.code).toBe(2);
  expect(refused.end.stderr).toContain(`pid ${driver?.pid}`);
  expect(refused.end.stdout).toBe('');
  writeFileSync(join(place.folder, 'go'), '');
  expect(await driver?.ended).toMatchObject({ code: 0 });
  expect(runFolders(place)).toHaveLength(1);
});

it('A command that is killed while it creates a run does not keep the next one from it [B13] [Q4]', async () => {
  const { place, args, env } = stalled();
  const first = place.start(args, { env });
  await until('the first', () => arrivals(place).length === 1);
  const second = place.start(args, { env });
  await until('the second', () => waits(second));
  send(first.pid, 'SIGKILL');
  await first.ended;
  await until('the second', () => arrivals(place).length === 2);
  rmSync(join(place.folder, 'stall'));
  writeFileSync(join(place.folder, 'go'), '');
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(runFolders(place)).toHaveLength(1);
});

/** A place in which git hangs when it is asked who commits: after the search for the run, before its creation. */
function stalled(): { place: Place; args: string[]; env: { [name: string]: string } } {
  const place = makePlace();
  const git = [
    '#!/bin/sh',
    'case "$*" in *"var GIT_AUTHOR_IDENT"*)',
    `  : > '${place.folder}/arrived.'$PPID`,
    `  while [ -f '${place.folder}/stall' ]; do sleep 0.05; done`,
    'esac',
    `PATH='${place.env['PATH'] ?? ''}' exec git "$@"`,
  ];
  place.write('bin/git', `${git.join('\n')}\n`);
  place.makeExecutable('bin/git');
  place.write('stall', '');
  const builder = `while [ ! -f '${place.folder}/go' ]; do sleep 0.05; done\necho right > done.txt\n${saysDone}`;
  return {
    place,
    args: ['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })],
    // With a name in the environment, git is asked for the identity instead of its settings being read.
    env: { PATH: `${place.folder}/bin:${place.env['PATH'] ?? ''}`, GIT_AUTHOR_NAME: 'Ann' },
  };
}

function arrivals({ folder }: Place): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('arrived.')) : [];
}

function waits(one: Running): boolean {
  return one.stderr().includes('is starting a run here');
}
