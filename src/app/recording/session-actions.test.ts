import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEnding } from '#kernel/model/ending.ts';
import { parseScript } from '#agents/scripted/script.ts';
import type { FileChange } from '#adapters/git/trees/tree-change.ts';
import { redactActions } from './redact-actions.ts';
import { actionsOf } from './session-actions.ts';
import type { Session } from './session-actions.ts';
import type { LoggedMessage } from './session-log.ts';
import { readSessionLog } from './session-log.ts';

const say = (text: string): LoggedMessage => ({ kind: 'say', text });
const call = (name: string, summary: string): LoggedMessage => ({ kind: 'tool', name, summary });
const written = (path: string, text = 'x\n'): FileChange => ({
  kind: 'written',
  path,
  bytes: Buffer.from(text),
  isExecutable: false,
  wasExecutable: null,
});

function play(change: Partial<Session>): readonly object[] {
  const session: Session = {
    messages: [],
    changes: [],
    ending: { kind: 'finished' },
    usage: { usd: null, tokens: null },
    prefix: '',
    ...change,
  };
  const actions = actionsOf(session);
  // Whatever is recorded can be played.
  expect(parseScript({ turns: [{ role: 'builder', actions }] }, 'recording').turns[0]?.actions).toEqual(
    actions,
  );
  return actions.filter((action) => !('usage' in action));
}

describe('A session as actions [X5]', () => {
  it('A session without visible tools writes its files before it speaks, so that its final message stays final', () => {
    expect(play({ messages: [say('===DONE===\n')], changes: [written('a')] })).toEqual([
      { write: { path: 'a', text: 'x\n' } },
      { say: '===DONE===\n' },
    ]);
  });

  it('A session writes a file at the call that named it, and the other files after the last call', () => {
    const heard = [
      call('Edit', '/some/where/src/a.ts'),
      say('now b'),
      call('Edit', 'src/b.ts'),
      call('Bash', 'make'),
      say('end'),
    ];
    const changes = [written('src/a.ts'), written('src/b.ts'), written('made.txt')];
    expect(play({ messages: heard, changes })).toEqual([
      { write: { path: 'src/a.ts', text: 'x\n' } },
      { say: 'now b' },
      { write: { path: 'src/b.ts', text: 'x\n' } },
      { tool: 'Bash', summary: 'make' },
      { write: { path: 'made.txt', text: 'x\n' } },
      { say: 'end' },
    ]);
  });

  it('A call does not count as writing a file with a longer name, or a file that it only read', () => {
    const heard = [call('Edit', 'other/a.ts'), call('Read', 'a.ts'), say('end')];
    expect(play({ messages: heard, changes: [written('a.ts')] })).toEqual([
      { tool: 'Edit', summary: 'other/a.ts' },
      { tool: 'Read', summary: 'a.ts' },
      { write: { path: 'a.ts', text: 'x\n' } },
      { say: 'end' },
    ]);
  });

  it('A session names files from the folder in which the agent worked', () => {
    const changes = [written('packages/one/a'), { kind: 'deleted', path: 'b' } as const];
    expect(play({ changes, prefix: 'packages/one' })).toEqual([
      { delete: '../../b' },
      { write: { path: 'a', text: 'x\n' } },
    ]);
  });

  it.each<[SessionEnding, object[]]>([
    [{ kind: 'finished' }, []],
    [
      { kind: 'failed', errorClass: 'usage-limit', detail: 'd', resetAt: 5 },
      [{ fail: { errorClass: 'usage-limit', detail: 'd', resetAt: 5 } }],
    ],
    [{ kind: 'crashed', detail: 'x' }, [{ exit: 1 }]],
    [{ kind: 'timed-out', limit: 'idle' }, [{ hang: true }]],
    [{ kind: 'over-limit', limit: 'usd' }, []],
  ])('A replayed session ends as the recorded one: %j', (ending, expected) => {
    expect(play({ ending })).toEqual(expected);
  });

  it('A replayed session reports the usage of its end when no event reported it', () => {
    const told = { kind: 'usage', usage: { usd: 1, tokens: 2 } } as const;
    const session = { changes: [], ending: { kind: 'finished' }, prefix: '' } as const;
    expect(actionsOf({ ...session, messages: [told], usage: told.usage })).toEqual([{ usage: told.usage }]);
    expect(actionsOf({ ...session, messages: [told], usage: { usd: 3, tokens: 4 } })).toEqual([
      { usage: told.usage },
      { usage: { usd: 3, tokens: 4 } },
    ]);
  });
});

it('Secrets are found in messages, calls, files, bytes and errors [X5]', () => {
  const redactor = { redact: (text: string) => text.replaceAll('hunter2', '[x]') };
  const base64 = Buffer.from([0, 255, ...Buffer.from('hunter2'), 254]).toString('base64');
  const { actions, count } = redactActions(
    [
      { say: 'hunter2' },
      { tool: 'Bash', summary: 'echo hunter2' },
      { write: { path: 'a', text: 'hunter2' } },
      { write: { path: 'b', text: base64, encoding: 'base64' } },
      { link: { path: 'c', target: 'hunter2' } },
      { fail: { errorClass: 'other', detail: 'hunter2' } },
      { say: 'nothing' },
    ],
    redactor,
  );
  expect(count).toBe(6);
  expect(JSON.stringify(actions)).not.toContain('hunter2');
  const [, , , file] = actions;
  const bytes = Buffer.from(file !== undefined && 'write' in file ? file.write.text : '', 'base64');
  expect(bytes).toEqual(Buffer.from([0, 255, ...Buffer.from('[x]'), 254]));
});

describe('A session log', () => {
  it('A session log is bounded: the end of a flood is kept, whatever calls lie between [X5]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'untildone-session-log-'));
    try {
      const file = join(folder, 'builder_001.jsonl');
      const lines = Array.from({ length: 200 }, (_, n) => [
        JSON.stringify({ at: n, type: 'text', text: 'flood '.repeat(10_000) }),
        JSON.stringify({ at: n, type: 'tool-call', id: 'i', name: 'Bash', summary: `call ${n}` }),
        JSON.stringify({ at: n, type: 'tool-result', id: 'i', isError: false, summary: 'ok' }),
      ]).flat();
      writeFileSync(file, `${[...lines, '{"at":1,"type":"text","text":"===DONE==="}', '{"cut'].join('\n')}`);
      const log = await readSessionLog(file);
      const length = (log?.messages ?? []).reduce(
        (all, one) => all + (one.kind === 'say' ? one.text.length : 0),
        0,
      );
      expect(length).toBeLessThanOrEqual(4 * 1024 * 1024);
      expect(log?.messages.at(-1)).toEqual({ kind: 'say', text: '===DONE===' });
      expect(log).toMatchObject({ unreadable: 1, dropped: expect.any(Number) as number });
      expect(await readSessionLog(join(folder, 'absent'))).toBeNull();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
