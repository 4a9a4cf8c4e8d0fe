import { describe, expect, it } from 'vitest';
import { sampleNotification } from '#test/notifiers/sample-notification.ts';
import type { TerminalMethod } from './terminal.ts';
import { createTerminalNotifier } from './terminal.ts';

async function written(method: TerminalMethod, term: string, title: string, text = 'now'): Promise<string> {
  let all = '';
  const notifier = createTerminalNotifier({ method, term, write: (bytes) => void (all += bytes) });
  await notifier.send(sampleNotification({ title, text }), new AbortController().signal);
  return all;
}

describe('terminal notifications', () => {
  it('A terminal notification rings, shows one line, or does both [C11]', async () => {
    expect(await written('both', 'xterm', 'Done')).toBe('\u0007\u001B]9;Untildone: Done. now\u001B\\');
    expect(await written('osc9', 'xterm', 'Done')).toBe('\u001B]9;Untildone: Done. now\u001B\\');
    expect(await written('bell', 'xterm', 'Done')).toBe('\u0007');
    expect(await written('both', 'linux', 'Done')).toBe('\u0007');
  });

  it('The text of a notification cannot steer the terminal [C11]', async () => {
    const evil = '4;1;50\u0007\u001B]52;c;ZXZpbA==\u001B\\\u009D0;title\u009C\n\r\u202Egnp';
    const shown = await written('osc9', 'xterm', evil, evil);
    expect(shown.startsWith('\u001B]9;Untildone: 4;1;50')).toBe(true);
    const inside = shown.slice('\u001B]9;'.length, -'\u001B\\'.length);
    expect(Array.from(inside).filter((letter) => /[\p{Cc}\p{Bidi_Control}]/u.test(letter))).toEqual([]);
    expect((await written('osc9', 'xterm', 'x'.repeat(10_000))).length).toBeLessThan(250);
  });

  it('A terminal notification is skipped if there is no terminal [C11]', async () => {
    const notifier = createTerminalNotifier({ method: 'both', term: 'xterm', write: null });
    const delivery = await notifier.send(sampleNotification(), new AbortController().signal);
    expect(delivery).toEqual({ kind: 'skipped', why: 'there is no terminal' });
  });
});
