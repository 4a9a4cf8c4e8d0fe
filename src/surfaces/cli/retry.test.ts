// `retry`, started as a person starts it: one command, and the run continues.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { loadRun } from '#app/site.ts';
import { builtEntry } from '#test/program.ts';

const beds = keepBeds();
let life: Life;

beforeAll(async () => {
  const wrong = builds({ write: { path: 'done.txt', text: 'wrong\n' } });
  const right = builds({ write: { path: 'done.txt', text: 'right\n' } });
  life = beds.keep(
    await liveThrough({
      turns: [wrong, right, passes],
      flags: { check: ['grep -q right done.txt'], budget: ['attempts=1'] },
    }),
  );
});
afterAll(() => beds.remove());

function said(bed: Bed, ...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtEntry('cli'), ...args], {
    cwd: bed.root,
    env: bed.env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

it('Resume on a finished run names the retry command, and that one command completes the run [Q5]', async () => {
  const bed = beds.keep(life.copy());
  const { id } = life.run;
  expect(life.run.outcome?.outcome).toBe('exhausted');
  const refused = said(bed, 'resume', id);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(`Retry it: untildone retry main --run ${id}.`);
  const again = said(bed, 'retry', 'main', '--run', id);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(/^Task main is open again\. [^]*✅ Completed/);
  expect((await loadRun(await bed.site(), id)).run.outcome?.outcome).toBe('completed');
});

it('Retry with --no-drive only records the request, and leaves the run to resume [Q5]', async () => {
  const bed = beds.keep(life.copy());
  const { id } = life.run;
  const written = said(bed, 'retry', 'main', '--no-drive', '--budget', 'sessions=99');
  expect(written.code).toBe(0);
  expect(written.out).toContain(`Continue with: untildone resume ${id}`);
  const { run } = await loadRun(await bed.site(), id);
  expect([run.outcome, run.stepsStarted, run.budget.sessions]).toEqual([null, life.run.stepsStarted, 99]);
  const twice = said(bed, 'retry', 'main');
  expect(twice.err).toContain(`Continue with: untildone resume ${id}`);
  expect(said(bed, 'resume').code).toBe(0);
});

it('Retry accepts the number that the screen shows, and without a name the only task that can be retried [Q5]', async () => {
  const numbered = beds.keep(life.copy());
  expect(said(numbered, 'retry', '1', '--no-drive')).toMatchObject({ code: 0, err: '' });
  const unnamed = beds.keep(life.copy());
  expect(said(unnamed, 'retry', '--no-drive').out).toMatch(/^Task main is open again\./);
  expect(said(unnamed, 'retry', '2').err).toContain('has no task "2".');
  expect(said(unnamed, 'retry').err).toContain('Task main is open already.');
});

it('Retry in JSON prints its control and then the events of the run, one per line, with the granted budget', () => {
  const bed = beds.keep(life.copy());
  const { code, out } = said(bed, 'retry', 'main', '--json', '--budget', 'sessions=88');
  expect(code).toBe(0);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string });
  expect(lines[0]).toMatchObject({ type: 'control', runId: life.run.id, control: 'retry' });
  expect(lines.at(-1)).toMatchObject({
    type: 'result',
    outcome: 'completed',
    state: { budget: { sessions: 88 } },
  });
});
