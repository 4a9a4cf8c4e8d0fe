// A command agent leaves nothing in the home of the user.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seesFile } from './agents.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { canSandbox, sandboxNote } from './sandboxed.ts';

it('A command agent creates nothing in an empty home, although its output is read like that of a known client [C10]', async () => {
  const place = makePlace({ isSandboxed: true });
  const before = homeOf(place);
  for (const output of ['claude', 'codex']) await start(place, { output, deed: 'echo right > done.txt' });
  expect(homeOf(place)).toEqual(before);
});

it('A command agent creates nothing in an empty home without a sandbox [C10]', async () => {
  const place = makePlace();
  const before = homeOf(place);
  await start(place, { output: 'claude', deed: 'echo right > done.txt' });
  expect(homeOf(place)).toEqual(before);
});

it.runIf(canSandbox)(
  `A command agent renews the login of the user, and nothing else that it writes reaches the home [C10]${sandboxNote}`,
  async () => {
    const place = makePlace({ isSandboxed: true });
    place.write('home/.claude/.credentials.json', 'old');
    const before = homeOf(place);
    const folder = '"$HOME/.claude"';
    const operation = `cd ${folder} && ls -a && echo renewed > .credentials.json && echo planted > settings.json`;
    await start(place, { output: 'claude', deed: operation });
    expect(homeOf(place)).toEqual(before);
    expect(place.read('home/.claude/.credentials.json')).toBe('renewed\n');
  },
);

/** Whatever becomes of the run: its agent was started. */
async function start(place: Place, { output, deed }: { output: string; deed: string }): Promise<void> {
  const command = `sh ${place.write('agent.sh', `${deed}\n`)}`;
  const agents = { plain: { driver: 'command', command, output } };
  place.write('config/untildone/config.jsonc', JSON.stringify({ agents }));
  const args = ['--check', seesFile, '--budget', 'sessions=1', '--agent', 'plain'];
  const { stdout, stderr } = await place.untildone(['run', `do it, as ${output}`, ...args]);
  expect(`${stdout}${stderr}`).toMatch(/builder_001 starts/);
}

function homeOf({ folder }: Place): string[] {
  return readdirSync(join(folder, 'home'), { recursive: true }).map(String).toSorted();
}
