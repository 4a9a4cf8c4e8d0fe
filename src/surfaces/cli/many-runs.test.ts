// A repository with hundreds of finished runs: commands about the unfinished run must not read the others.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '#test/program.ts';
import { createEmbeddedStore } from '#adapters/store/store.ts';
import { encodeEntry } from '#adapters/store/journal/journal.ts';
import { encodeLine } from '#adapters/store/journal/line.ts';
import { createSnapshots } from '#adapters/store/snapshot.ts';
import type { Site } from '#app/site.ts';
import { openSite, pathsOf } from '#app/site.ts';
import type { ResolvedRun } from '#config/resolve/resolve-run.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';

const finished = 300;
const linesEach = 1_000;
const main = builtEntry('cli');
let folder = '';
let env: { [name: string]: string } = {};
let site: Site;
let resolved: ResolvedRun;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-many-'));
  const root = join(folder, 'repo');
  mkdirSync(root);
  const as = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root });
  execFileSync('git', [...as, 'commit', '-q', '--allow-empty', '-m', 'base'], { cwd: root });
  env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
  };
  site = await openSite(root, env);
  resolved = await resolveRun(site, { goal: 'g', flags: { agent: ['command:true'] }, sanityCheck: false });
  for (let number = 0; number < finished; number += 1) await writeFinished(number);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Its middle is damaged, so every reader of the whole journal must report it. */
async function writeFinished(number: number): Promise<void> {
  const runId = `run-${String(number).padStart(4, '0')}`;
  const run = pathsOf(site).run(runId);
  mkdirSync(run.folder, { recursive: true });
  const last: Event = { at: 9, type: 'run-ended', outcome: 'completed', reason: 'done' };
  const filler: Event[] = Array.from({ length: linesEach }, (_, due) => ({
    at: 5,
    type: 'clock-reached',
    due,
  }));
  const entries = [beginning(runId, number), ...filler.map((event) => [event]), [last], late];
  const lines = entries.map((events, index) => encodeLine(encodeEntry(index + 1, 0, events)));
  const bytes = Buffer.concat(lines);
  const snapshots = createSnapshots(run.snapshot);
  snapshots.save(replay(entries.flat()), { bytes: bytes.length, seq: lines.length });
  await snapshots.close();
  bytes.fill(0x23, 5_000, 20_000);
  writeFileSync(run.journal, bytes);
}

/** After the end only late requests are answered. */
const late: Event[] = [
  { at: 10, type: 'control-received', id: 'c', by: 'me', control: { kind: 'resume' } },
  { at: 10, type: 'control-refused', id: 'c', reason: 'the run has ended: completed' },
];

function beginning(runId: string, at: number): Event[] {
  return [
    { at: at / 1000, type: 'run-created', runId, version: 1, config: resolved.config },
    ...resolved.tasks.map((task): Event => ({ at: at / 1000, type: 'task-added', task, by: 'plan' })),
  ];
}

function untildone(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { cwd: site.root, env, timeout: 600_000 },
      (error, out, err) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : null, out, err });
      },
    );
  });
}

describe(`with ${finished} finished runs [D5]`, () => {
  it('Status selects the newest finished run without a message about the others', async () => {
    const { code, out, err } = await untildone('status', '--json');
    expect([code, err]).toEqual([0, '']);
    expect((JSON.parse(out) as { runId: string }).runId).toBe('run-0299');
    const pause = await untildone('pause');
    expect([pause.code, pause.err]).toEqual([2, expect.stringContaining('There is no unfinished run')]);
  });

  it('List reads the kept summaries of finished runs instead of their journals', async () => {
    const { code, out, err } = await untildone('list', '--json');
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toHaveLength(finished);
  });

  it('Status selects the unfinished run, wherever it is among the others', async () => {
    const store = createEmbeddedStore(pathsOf(site));
    await store.create('run-0100b', beginning('run-0100b', 100.5));
    const { code, out, err } = await untildone('status', '--json');
    expect([code, err]).toEqual([0, '']);
    expect((JSON.parse(out) as { runId: string }).runId).toBe('run-0100b');
  });

  it('Resume lists several unfinished runs, exits with 2 and names its own command', async () => {
    const store = createEmbeddedStore(pathsOf(site));
    await store.create('run-0200b', beginning('run-0200b', 200.5));
    const { code, err } = await untildone('resume');
    expect(code).toBe(2);
    expect(err).toMatch(/Several runs are unfinished.*\n[^]*run-0100b[^]*run-0200b/);
    expect(err).toContain('Hint: For example: untildone resume run-0100b');
    const tell = await untildone('tell', 'be quick');
    expect([tell.code, tell.err]).toEqual([2, expect.stringContaining('tell "…" --run run-0100b')]);
  });
});

describe('the end of a run', () => {
  const isEnded = (bytes: Buffer): Promise<boolean> => {
    const run = pathsOf(site).run('run-0000');
    writeFileSync(run.journal, bytes);
    return createEmbeddedStore(pathsOf(site)).isEnded?.('run-0000') ?? Promise.resolve(false);
  };
  const end = encodeLine(encodeEntry(2, 0, [{ at: 1, type: 'run-ended', outcome: 'failed', reason: 'r' }]));
  const other = encodeLine(encodeEntry(3, 0, [{ at: 1, type: 'clock-reached', due: 1 }]));

  it('Only an intact line ends a run: never a torn, damaged or quoted one [Q7]', async () => {
    expect(await isEnded(end)).toBe(true);
    expect(await isEnded(Buffer.concat([other, end, other]))).toBe(true);
    expect(await isEnded(end.subarray(0, -1))).toBe(false);
    const damaged = Buffer.from(end);
    damaged.write('x', 30);
    expect(await isEnded(damaged)).toBe(false);
    const words: Event = { at: 1, type: 'driver-left', reason: '{"type":"run-ended"}' };
    expect(await isEnded(encodeLine(encodeEntry(2, 0, [words])))).toBe(false);
    expect(await isEnded(Buffer.alloc(0))).toBe(false);
  });

  it('The newest line decides: a reopened run is not over until it ends again [Q5]', async () => {
    const again = encodeLine(encodeEntry(3, 0, [{ at: 1, type: 'run-reopened', by: 'ann' }]));
    expect(await isEnded(Buffer.concat([end, again, other]))).toBe(false);
    expect(await isEnded(Buffer.concat([end, again, other, end, other]))).toBe(true);
    // It may be the very line that cannot be read.
    const damaged = Buffer.from(again);
    damaged.write('x', 30);
    expect(await isEnded(Buffer.concat([end, damaged, other]))).toBe(false);
  });

  it('If the end of a run is too far back, the whole journal has to be read', async () => {
    const many = Buffer.concat(Array.from({ length: 2_000 }, () => other));
    expect(await isEnded(Buffer.concat([end, many]))).toBe(false);
    expect(await isEnded(Buffer.concat([many, end]))).toBe(true);
  });
});
