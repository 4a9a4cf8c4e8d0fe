// Whole runs with the scripted agent: the recording of one run is played by another, in a fresh clone of the same
// base.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '#app/site.ts';
import { loadRun, openSite, openStore, runFiles } from '#app/site.ts';
import { startRun } from '#app/run/start-run.ts';
import { driveRun } from '#app/world.ts';
import type { RunFlags } from '#config/setting-table.ts';
import { resolveRun } from '#config/resolve/resolve-run.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Recording } from './recording.ts';
import { makeRecording } from './recording.ts';

const secret = 'hunter2-hunter2-hunter2';
const base = {
  'README.md': 'A sample.\n',
  'old.txt': 'old\n',
  'was/folder.txt': 'x\n',
  'run.sh': 'echo 1\n',
};
const bytes = Buffer.from([0, 255, 254, 10, 13, 128]);

/** Two attempts: a lie, then everything that a session can do to files; a verifier that first finds something. */
const script = {
  turns: [
    {
      role: 'builder',
      actions: [
        { say: 'I begin.\n' },
        { write: { path: 'done.txt', text: 'wrong\n' } },
        { usage: { usd: 0.01, tokens: 100 } },
        { say: 'Done!\n\n===WIGGUM_COMPLETE===\n' },
      ],
    },
    {
      role: 'builder',
      actions: [
        { tool: 'Read', summary: 'README.md' },
        { write: { path: 'done.txt', text: 'right – ü\n' } },
        { run: 'mkdir -p deep/er && printf "from a shell" > deep/er/file && chmod +x run.sh' },
        { write: { path: 'data.bin', text: bytes.toString('base64'), encoding: 'base64' } },
        { delete: 'old.txt' },
        { delete: 'was' },
        { write: { path: 'was', text: 'a file where a folder was\n' } },
        { link: { path: 'shortcut', target: 'deep/er/file' } },
        { write: { path: 'key.txt', text: `token=${secret}\n` } },
        { usage: { usd: null, tokens: 250 } },
        { say: `It is ${secret}.\n\n===WIGGUM_COMPLETE===\n` },
      ],
    },
    { role: 'builder', actions: [{ write: { path: 'done.txt', text: 'right, and better\n' } }] },
    {
      role: 'verifier',
      actions: [{ say: '<verifier-report>\nIt could be better.\n</verifier-report>\n' }],
    },
    { role: 'verifier', actions: [{ fail: { errorClass: 'other', detail: 'out of ideas' } }] },
    { role: 'verifier', actions: [{ say: 'Fine.\n\n===VERIFIER_COMPLETE===\n' }] },
  ],
};

let folder = '';
let first: { readonly site: Site; readonly run: Run };
let recording: Recording;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-record-'));
  first = await liveThrough('first', script);
  recording = await makeRecording(first.site, first.run, null);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('A recording [X5]', () => {
  it('A recording replays the run: the same trees, signals, endings and usage', async () => {
    expect(first.run.outcome?.outcome).toBe('completed');
    const again = await liveThrough('again', withSecret({ turns: recording.turns }));
    expect(again.run.outcome).toEqual(first.run.outcome);
    expect(again.run.tip?.tree).toBe(first.run.tip?.tree);
    expect(await sessions(again)).toEqual(await sessions(first));
    expect(again.run.ledger).toEqual(first.run.ledger);
  });

  it('A recording contains no secret, and says that some were removed', () => {
    expect(JSON.stringify(recording)).not.toContain(secret);
    expect(JSON.stringify(recording)).toContain('[redacted MY_TOKEN]');
    expect(recording.notes).toEqual([expect.stringMatching(/^builder_002: secrets were removed/)]);
  });

  it('A recording writes each file once, where the session wrote it, and keeps the kind of the file', () => {
    const actions = recording.turns.find((turn) => turn.sessions.includes('builder_002'))?.actions ?? [];
    expect(actions.filter((action) => 'write' in action && action.write.path === 'done.txt')).toHaveLength(1);
    expect(actions).toContainEqual({
      write: { path: 'data.bin', text: bytes.toString('base64'), encoding: 'base64' },
    });
    expect(actions).toContainEqual({ write: { path: 'run.sh', text: 'echo 1\n', executable: true } });
    expect(actions).toContainEqual({ link: { path: 'shortcut', target: 'deep/er/file' } });
    expect(actions).toContainEqual({ tool: 'Read', summary: 'README.md' });
    // The marker still comes after the last tool call.
    expect(actions.at(-1)).toEqual({ say: expect.stringContaining('===WIGGUM_COMPLETE===') as string });
  });

  it('A recording can cover one session or one role, and an unknown name lists the existing ones', async () => {
    const of = async (session: string) => (await makeRecording(first.site, first.run, session)).turns;
    expect((await of('verifier_002')).map((turn) => turn.actions.at(-1))).toEqual([
      { fail: { errorClass: 'other', detail: 'out of ideas' } },
    ]);
    expect((await of('1')).map((turn) => turn.role)).toEqual(['builder', 'verifier']);
    expect(await of('builder')).toHaveLength(3);
    await expect(of('builder_009')).rejects.toMatchObject({
      code: 'no-session',
      hint: expect.stringContaining('builder_003') as string,
    });
  });

  it('A recording uses the data of git when the log is gone, and says which part of a log is damaged [X6]', async () => {
    const { logsDir } = runFiles(first.site, first.run.id);
    const log = (await sessionResults(first))[0]?.log ?? '';
    const text = readFileSync(join(logsDir, log), 'utf8');
    rmSync(join(logsDir, log));
    const half = await makeRecording(first.site, first.run, 'builder_001');
    expect(half.notes).toEqual([expect.stringContaining('is missing; only its file changes')]);
    expect(half.turns[0]?.actions[0]).toMatchObject({ write: { path: 'done.txt', text: 'wrong\n' } });
    writeFileSync(join(logsDir, log), `${text}{"cut off`);
    const cut = await makeRecording(first.site, first.run, 'builder_001');
    expect(cut.notes).toEqual([expect.stringContaining('1 lines of its log are damaged')]);
  });
});

async function liveThrough(name: string, played: unknown): Promise<{ site: Site; run: Run }> {
  const root = join(folder, name);
  makeRepository(root);
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, `state-${name}`),
    XDG_CONFIG_HOME: join(folder, 'config'),
    MY_TOKEN: secret,
    UNTILDONE_SANDBOX: 'none',
  };
  const site = await openSite(root, env);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(played));
  const flags: RunFlags = {
    agent: [`scripted:${join(folder, `${name}.json`)}`],
    check: ['grep -q right done.txt'],
    cooldown: '0',
  };
  const runId = await startRun(site, await resolveRun(site, { goal: 'do it', flags, sanityCheck: false }));
  const signal = AbortSignal.timeout(1_200_000);
  await driveRun(site, runId, { observers: [], leaveWhenParked: () => true, signal });
  return { site, run: (await loadRun(site, runId)).run };
}

/** The same files and dates make the same commit, so that trees and bases can be compared. */
function makeRepository(root: string): void {
  for (const [path, text] of Object.entries(base)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]): void => {
    const env = { ...process.env, GIT_AUTHOR_DATE: '@0 +0000', GIT_COMMITTER_DATE: '@0 +0000' };
    execFileSync('git', args, { cwd: root, env });
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.invalid');
  git('config', 'commit.gpgsign', 'false');
  git('add', '.');
  git('commit', '-q', '-m', 'base');
}

/** Put back here, so that the files are equal to the last byte. */
function withSecret(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('[redacted MY_TOKEN]', secret)) as unknown;
}

async function sessionResults({ site, run }: { site: Site; run: Run }): Promise<SessionResult[]> {
  const { events } = await openStore(site).read(run.id);
  return events.flatMap((event) =>
    event.type === 'step-ended' && event.result.kind === 'session' ? [event.result] : [],
  );
}

/** Without what differs by time. */
async function sessions(life: { site: Site; run: Run }): Promise<unknown[]> {
  return (await sessionResults(life)).map(({ ending, signal, usage, endTree }) => ({
    ending,
    signal,
    usage,
    endTree,
  }));
}
