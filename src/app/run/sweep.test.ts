// An earlier driver left a process alive; the next driver of the same run ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, it } from 'vitest';
import { markVariable } from '#adapters/processes/proc-table.ts';
import { builds, keepBeds, liveThrough } from '#test/app/proof-bed.ts';

const beds = keepBeds();
afterAll(() => beds.remove());

function leaveBehind(mark: string) {
  const env = { PATH: process.env['PATH'], [markVariable]: mark };
  const child = spawn('sleep', ['600'], { env, stdio: 'ignore', detached: true });
  return { child, ended: once(child, 'exit') };
}

it('A driver ends the processes that an earlier driver of its run left alive, and no other [X11]', async () => {
  const notes: string[] = [];
  const left: ReturnType<typeof leaveBehind>[] = [];
  const life = await liveThrough({
    turns: [builds({ write: { path: 'done.txt', text: 'right\n' } })],
    flags: { preset: 'criteria', check: ['grep -q right done.txt'] },
    observe: async (_, runId) => {
      // No step of the journal knows them.
      left.push(leaveBehind(`${runId}/0009-forgotten`), leaveBehind(`${runId}0/0009-forgotten`));
      await Promise.all(left.map(({ child }) => once(child, 'spawn')));
      return { onNote: (text) => notes.push(text) };
    },
  });
  beds.keep(life);
  const [own, other] = left;
  expect(await own?.ended).toEqual([null, 'SIGKILL']);
  expect([other?.child.exitCode, other?.child.signalCode]).toEqual([null, null]);
  other?.child.kill('SIGKILL');
  expect(notes).toContain('ended 1 process(es) that an earlier driver had left behind');
  expect(life.run.outcome).toMatchObject({ outcome: 'completed' });
});
