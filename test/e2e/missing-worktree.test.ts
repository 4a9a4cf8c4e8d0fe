// A run whose worktree disappears while it is at work.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saysDone, seesFile, shellAgents } from './agents.ts';
import type { Place } from './place.ts';
import { makePlace } from './place.ts';
import { until } from './wait.ts';

it('A worktree that is deleted during a session is named and recreated, and the work continues [X6]', async () => {
  const place = makePlace();
  const waits = 'touch started; while [ -f started ]; do sleep 0.05; done';
  const builder = `if [ "$n" = 1 ]; then\n${waits}\nelse\necho right > done.txt\nfi\n${saysDone}`;
  const run = place.start(['run', 'do it', '--check', seesFile, ...shellAgents(place, { builder })]);
  const worktree = await until('the session', () =>
    worktrees(place).find((one) => existsSync(join(one, 'started'))),
  );
  rmSync(worktree, { recursive: true });
  const { code, stdout, stderr } = await run.ended;
  expect(stdout).toContain(`The folder ${worktree} does not exist: it was deleted or moved.`);
  expect(stdout).toContain(`The worktree ${worktree} was deleted; it is made again.`);
  expect(`${stdout}${stderr}`).not.toContain('on PATH');
  expect(code).toBe(0);
});

function worktrees({ stateHome }: Place): string[] {
  const root = join(stateHome, 'untildone/worktrees');
  const below = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return below(root).flatMap((repo) =>
    below(join(root, repo)).map((runId) => join(root, repo, runId, 'checkout')),
  );
}
