import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Receiver } from '#test/notifiers/webhook-bed.ts';
import { openReceiver } from '#test/notifiers/webhook-bed.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Notification } from '#kernel/model/notification.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { Notices } from './notify.ts';
import { composeNotices, tryNotifiers } from './notify.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import type { Site } from './site.ts';
import { openSite, runPathsOf } from './site.ts';

const beds = keepBeds();
const folders: string[] = [];
afterAll(() => {
  beds.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const question: Fact = {
  type: 'question-asked',
  taskId: 'main',
  questionId: 'q1',
  question: 'Is it key-1234567890?',
};
const left: Fact = { type: 'driver-left', reason: 'an answer' };
const ended: Fact = { type: 'run-ended', outcome: 'blocked', reason: 'b waits for a' };

/** A repository with a run of the simulation, whose id is `run`. */
async function placeWith(
  config: unknown,
): Promise<{ site: Site; played: PlayedRun; env: { [name: string]: string } }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-notify-')));
  folders.push(folder);
  const root = join(folder, 'shop');
  mkdirSync(join(root, '.untildone'), { recursive: true });
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writeFileSync(join(root, '.untildone/config.jsonc'), text);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    HOOK: `${receiver.url}/hook/s3cret-path`,
    MY_KEY: 'key-1234567890',
  };
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: root, env });
  git('init', '-q', '-b', 'main');
  git(
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.invalid',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'base',
  );
  const site = await openSite(root, env);
  mkdirSync(runPathsOf(site, 'run').folder, { recursive: true });
  const played = playRun({ tasks: [simulatedTask('main')] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.begin();
  return { site, played, env };
}

async function open(site: Site, notes: string[] = []): Promise<Notices> {
  return composeNotices(site, 'run', { terminal: null, onNote: (text) => notes.push(text) });
}

function record(played: PlayedRun, notices: Notices, ...facts: Fact[]): void {
  for (const fact of facts) {
    played.record(fact);
    notices.onEvents?.(played.run, played.events.slice(-1));
  }
}

function told(): string[] {
  return receiver.received.map(({ body }) => (body as Notification).kind);
}

describe('Notifications of a run', () => {
  it('A run neither waits for its notifiers nor ends differently when all of them hang [C11]', async () => {
    const notes: string[] = [];
    let notices: Notices | null = null;
    receiver.answer(...Array.from({ length: 9 }, () => () => {}));
    const hour = { timeout: '1h' };
    const life = beds.keep(
      await liveThrough({
        files: {
          '.untildone/config.jsonc': JSON.stringify({
            budget: { warnPercent: 1 },
            notify: [
              { to: 'webhook', url: `${receiver.url}/hook/s3cret-path`, ...hour },
              { to: 'command', command: 'trap "" TERM; sleep 1000', ...hour },
            ],
          }),
        },
        turns: [builds({ write: { path: 'done.txt', text: 'right\n' } }), passes],
        flags: { check: ['grep -q right done.txt'] },
        observe: async (site, runId) =>
          (notices = await composeNotices(site, runId, {
            terminal: null,
            onNote: (text) => notes.push(text),
          })),
      }),
    );
    expect(life.run.outcome?.outcome).toBe('completed');
    // The first one, of the budget, is still under way: the rest waits behind it.
    expect(told()).toEqual(['budget-nearly-spent']);
    expect(notes).toEqual([]);
    await (notices as unknown as Notices).close(1);
    expect(notes.toSorted()).toEqual([
      expect.stringContaining('"Budget nearly spent" could not be sent by command'),
      expect.stringContaining('"Budget nearly spent" could not be sent by webhook (json) at 127.0.0.1'),
      expect.stringContaining('"Run completed" could not be sent by command'),
      expect.stringContaining('"Run completed" could not be sent by webhook'),
    ]);
    const { journal } = runPathsOf(await life.site(), life.run.id);
    expect(notes.join() + readFileSync(journal, 'utf8')).not.toContain('s3cret-path');
  });

  it('A question is notified once, even if the driver is killed and another one reaches it again [C11]', async () => {
    const { site, played, env } = await placeWith({ notify: [{ to: 'webhook', urlEnv: 'HOOK' }] });
    const script = `
      import { composeNotices } from '#app/notify.ts';
      import { openSite } from '#app/site.ts';
      import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
      const played = playRun({ tasks: [simulatedTask('main')] });
      played.prepare();
      played.endCheck(played.beginOne(), { works: 'fail' });
      played.begin();
      const site = await openSite(${JSON.stringify(site.root)}, process.env);
      const notices = await composeNotices(site, 'run', { terminal: null, onNote: () => {} });
      played.record(${JSON.stringify(question)});
      notices.onEvents(played.run, played.events.slice(-1));
      setInterval(() => {}, 1000);`;
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const first = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      env,
      stdio: 'inherit',
    });
    const gone = new Promise((resolve) => first.once('exit', resolve));
    try {
      await expect.poll(told).toEqual(['needs-input']);
    } finally {
      first.kill('SIGKILL');
      await gone;
    }
    const notices = await open(site);
    played.record(question);
    record(played, notices, left);
    played.takeOver();
    record(played, notices, left, ended);
    await notices.close();
    expect(told()).toEqual(['needs-input', 'blocked']);
  });

  it('A notification shows no secret of the environment that an agent puts into a question [C11]', async () => {
    const { site, played } = await placeWith({ notify: [{ to: 'webhook', urlEnv: 'HOOK' }] });
    const notices = await open(site);
    record(played, notices, question);
    await notices.close();
    expect(receiver.received[0]?.body).toMatchObject({
      text: 'Is it [redacted MY_KEY]?',
      repository: 'shop',
    });
  });

  it('A run notifies only the chosen events, and none before the configured delay [C11]', async () => {
    const webhook = { to: 'webhook', urlEnv: 'HOOK' };
    const { site, played } = await placeWith({
      notify: [
        { ...webhook, on: ['blocked', 'completed'] },
        { ...webhook, after: '1h' },
      ],
    });
    const notices = await open(site);
    record(played, notices, question, ended);
    await notices.close();
    expect(told()).toEqual(['blocked']);
  });

  it('A run continues when its notification settings become unusable, and says so in one line [C11]', async () => {
    const notes: string[] = [];
    const missing = await placeWith({ notify: [{ to: 'webhook', urlEnv: 'NO_SUCH' }] });
    record(missing.played, await open(missing.site, notes), ended);
    const broken = await placeWith('{ "notfy": [] }');
    record(broken.played, await open(broken.site, notes), ended);
    expect(notes).toEqual([
      'The variable NO_SUCH is not set, so nothing is sent to that webhook.',
      expect.stringMatching(/^This run sends no notifications: .*did you mean "notify"\?$/),
    ]);
    expect(told()).toEqual([]);
  });
});

describe('The test of the notifications', () => {
  it('A test notification tries every notifier once and reports each result [C11]', async () => {
    const webhook = { to: 'webhook', urlEnv: 'HOOK', after: '1h', on: ['blocked'] };
    const { site } = await placeWith({
      notify: [
        'terminal',
        webhook,
        webhook,
        { to: 'command', command: 'exit 4' },
        { to: 'webhook', urlEnv: 'NO' },
      ],
    });
    receiver.answer((response) => response.writeHead(503).end(`go away, ${site.env['HOOK'] ?? ''}`));
    const { trials, problems } = await tryNotifiers(site, null);
    expect(trials.map(({ delivery }) => delivery.kind).toSorted()).toEqual([
      'delivered',
      'failed',
      'failed',
      'skipped',
    ]);
    expect(told()).toEqual(['test', 'test']);
    expect(problems).toHaveLength(1);
    const said = JSON.stringify(trials);
    expect(said).toContain('it answered 503: go away, [redacted');
    expect(said).not.toContain('s3cret-path');
  });
});
