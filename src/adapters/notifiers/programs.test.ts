import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { readProcEntry } from '#adapters/processes/proc-table.ts';
import type { Notification } from '#kernel/model/notification.ts';
import { createCommandNotifier } from './command.ts';
import { createDesktopNotifier } from './desktop.ts';
import type { ProgramPlace } from './program.ts';
import { sampleNotification } from '#test/notifiers/sample-notification.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'untildone-notify-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

function place(known: Partial<ProgramPlace> = {}): ProgramPlace {
  return {
    processes: createProcesses({ confine: 'marker' }),
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    mark: 'notify-test/notify',
    timeoutMs: 600_000,
    ...known,
  };
}

function isAlive(pidFile: string): boolean {
  return readProcEntry(Number(readFileSync(join(folder, pidFile), 'utf8'))) !== null;
}

async function present(file: string): Promise<void> {
  await expect.poll(() => existsSync(join(folder, file))).toBe(true);
}

describe('a notification command', () => {
  it('A notification command gets JSON on standard input and the fields in variables, without a shell [C11]', async () => {
    const evil = sampleNotification({
      title: '$(touch hacked) `touch hacked`; touch hacked',
      text: 'a\u0000b\nc',
    });
    const notifier = createCommandNotifier(
      place(),
      'cat > got.json; printf "%s|%s|%s|%s" "$UNTILDONE_NOTIFY_KIND" "$UNTILDONE_NOTIFY_TITLE" "$UNTILDONE_NOTIFY_TEXT" "$UNTILDONE_NOTIFY_OUTCOME" > got.txt',
    );
    expect(await notifier.send(evil, never)).toEqual({ kind: 'delivered' });
    expect(JSON.parse(readFileSync(join(folder, 'got.json'), 'utf8'))).toEqual(evil);
    expect(readFileSync(join(folder, 'got.txt'), 'utf8')).toBe(`needs-input|${evil.title}|a b\nc|`);
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
  });

  it('A notification command that fails or is missing is reported with its last output, and not retried [C11]', async () => {
    const send = (command: string) =>
      createCommandNotifier(place(), command).send(sampleNotification(), never);
    expect(await send('echo "no such user" >&2; exit 3')).toEqual({
      kind: 'failed',
      problem: 'exit 3, last output: no such user',
      mayRetry: false,
    });
    expect(await send('surely-not-there')).toMatchObject({ kind: 'failed', mayRetry: false });
  });

  it('A notification command that hangs, ignores TERM and floods is ended with all it started [C11]', async () => {
    const command =
      'trap "" TERM; echo $$ > hanging.pid; (trap "" TERM; sleep 1000) & echo $! > child.pid; while :; do head -c 65536 /dev/zero; sleep 0.01; done';
    const stop = new AbortController();
    const sending = createCommandNotifier(place(), command).send(sampleNotification(), stop.signal);
    await present('child.pid');
    stop.abort();
    const delivery = await sending;
    expect(delivery).toMatchObject({ kind: 'failed', mayRetry: false });
    expect(delivery.kind === 'failed' && delivery.problem.length < 500).toBe(true);
    expect([isAlive('hanging.pid'), isAlive('child.pid')]).toEqual([false, false]);
    const late = createCommandNotifier(place({ timeoutMs: 200 }), 'sleep 1000').send(
      sampleNotification(),
      never,
    );
    expect(await late).toMatchObject({ kind: 'failed', problem: 'timed out after 200 ms' });
  });
});

describe('desktop notifications', () => {
  it('The desktop is notified by notify-send, with markup and flags as plain text [C11]', async () => {
    const script = join(folder, 'notify-send');
    writeFileSync(script, `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done > '${folder}/argv'\n`);
    chmodSync(script, 0o755);
    const sent = async (known: Partial<Notification>): Promise<string[]> => {
      const notifier = createDesktopNotifier(place(), 'linux');
      expect(await notifier.send(sampleNotification(known), never)).toEqual({ kind: 'delivered' });
      return readFileSync(join(folder, 'argv'), 'utf8').trimEnd().split('\n');
    };
    expect(await sent({ title: '--evil\u001B[2J', text: '-x <img src="a"> & \u0007b' })).toEqual([
      '--app-name=untildone',
      '--urgency=critical',
      '--',
      'Untildone: --evil [2J',
      '-x &lt;img src="a"&gt; &amp;  b',
    ]);
    expect(await sent({ kind: 'completed' })).toContain('--urgency=normal');
  });

  it('A desktop that cannot be reached is reported with the reason [C11]', async () => {
    const empty = place({ env: { PATH: join(folder, 'nothing') } });
    expect(await createDesktopNotifier(empty, 'linux').send(sampleNotification(), never)).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('notify-send') as string,
    });
    expect(await createDesktopNotifier(empty, 'win32').send(sampleNotification(), never)).toMatchObject({
      kind: 'failed',
    });
  });

  it('A notification on macOS passes its text as arguments, never as a part of the script [C11]', async () => {
    const script = join(folder, 'osascript');
    writeFileSync(script, `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done > '${folder}/mac'\n`);
    chmodSync(script, 0o755);
    const evil = sampleNotification({ text: '" & (do shell script "touch hacked") & "' });
    const notifier = createDesktopNotifier(place(), 'darwin');
    expect(notifier.name).toContain('untested');
    expect(await notifier.send(evil, never)).toEqual({ kind: 'delivered' });
    expect(readFileSync(join(folder, 'mac'), 'utf8').trimEnd().split('\n').slice(-2)).toEqual([
      'Untildone: The run needs your answer',
      evil.text,
    ]);
  });
});
