// Real recordings of codex 0.166.0, redacted: each is read correctly.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultKnowledge } from '#config/agents/knowledge.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { createCodexLineReader } from './exec-lines.ts';
import { said } from '#test/agents/session-request.ts';
import { createThreadReader, errorOf } from './thread-reader.ts';
import { failureOf } from './turn-error.ts';
import { fieldsOf, textOf } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';

const linesOf = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}-0.166.0-2026-11-15.jsonl`), 'utf8')
    .trim()
    .split('\n');

function replay(name: string, resume: string | null) {
  const reader = createThreadReader(defaultKnowledge, resume);
  const events: AgentEvent[] = [];
  for (const line of linesOf(name)) {
    const message = fieldsOf(JSON.parse(line));
    const { thread, model } = fieldsOf(message['result']);
    if (isRecord(thread)) reader.opened(textOf(thread['id']), textOf(model));
    const { method } = message;
    if (typeof method === 'string')
      events.push(...reader.onNotification(method, fieldsOf(message['params'])));
  }
  return { reader, events };
}

const kinds = (events: readonly AgentEvent[]): string[] =>
  events.map((event) => event.type).filter((type) => type !== 'usage');

describe('a recorded session of the app-server', () => {
  const { reader, events } = replay('app-server', null);

  it('A recorded app-server session is read in order: text, commands, patches and their results [B3] [B9]', () => {
    expect(kinds(events).join(' ')).toBe(
      'notice text text text tool-call tool-result tool-call tool-result tool-call tool-result text text text text',
    );
    expect(said(events).text).toBe('I will write.\nAll done.\n===DONE===\n');
    expect(said(events).notices).toBe('reasoning: thinking hard');
    expect(events.filter(({ type }) => type === 'tool-call' || type === 'tool-result')).toEqual([
      { type: 'tool-call', id: 'call_3', name: 'shell', summary: 'echo hi > made.txt; echo done' },
      { type: 'tool-result', id: 'call_3', isError: false, summary: 'exit 0: done' },
      { type: 'tool-call', id: 'call_6', name: 'patch', summary: 'add /workspace/two.txt' },
      { type: 'tool-result', id: 'call_6', isError: false, summary: 'completed' },
      { type: 'tool-call', id: 'call_9', name: 'shell', summary: 'echo x > /home/user/outside.txt' },
      {
        type: 'tool-result',
        id: 'call_9',
        isError: true,
        summary: expect.stringContaining('Read-only file system') as string,
      },
    ]);
  });

  it('A recorded app-server session reports tokens after every answer, their price, the model and the end [X1]', () => {
    const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.tokens] : []));
    expect(told).toEqual([120, 240, 360, 480]);
    // 240 fresh, 160 cached, 80 written by the model.
    expect(reader.usage().usd).toBeCloseTo((240 * 1.25 + 160 * 0.125 + 80 * 10) / 1e6, 12);
    expect(reader.model()).toBe('gpt-5.5');
    expect(reader.turnEnd()).toEqual({ kind: 'completed' });
  });

  it('A recorded app-server session counts only its own part of a resumed thread [X1]', () => {
    const resumed = replay('app-server-resumed', '01a1e170-f660-7b73-a8f1-6c6ac5ebb8b1');
    expect(resumed.reader.usage().tokens).toBe(120);
    expect(said(resumed.events).text).toBe('turn 2\n');
  });
});

describe('recorded errors of the app-server', () => {
  const now = Date.parse('2026-11-15T22:59:36Z');
  const expected: { readonly [scene: string]: string } = {
    e401: 'authentication',
    e403: 'authentication',
    e400: 'invalid-request',
    e404: 'unknown-model',
    e429usage: 'usage-limit',
    e429quota: 'usage-limit',
    e429short: 'overloaded',
    e500: 'overloaded',
    e503: 'overloaded',
    failedEvent: 'overloaded',
    ctx: 'context-overflow',
    trunc: 'network',
    stall: 'network',
    cyber: 'refusal',
  };

  it.each(linesOf('turn-errors').map((line) => fieldsOf(JSON.parse(line))))(
    'The recorded error $scene has its class',
    ({ scene, error }) => {
      const failure = failureOf(errorOf(error), { knowledge: defaultKnowledge, now, windowResetAt: null });
      expect(failure.errorClass).toBe(expected[textOf(scene)]);
      expect(failure.detail).not.toBe('');
    },
  );

  it('Recorded errors are classified by their text alone as documented, because exec reports nothing else', () => {
    const byWords = linesOf('turn-errors').map((line) => {
      const { scene, error } = fieldsOf(JSON.parse(line));
      const { message } = errorOf(error);
      const { errorClass } = failureOf(
        { message, info: null },
        { knowledge: defaultKnowledge, now, windowResetAt: null },
      );
      return [scene, errorClass];
    });
    expect(Object.fromEntries(byWords)).toEqual({
      ...expected,
      // The provider's own words, which may be any.
      cyber: 'other',
    });
  });
});

describe('a recorded session of exec', () => {
  it('A recorded exec session is read in order, and the note about an unknown model is harmless [B3] [B9]', () => {
    const reader = createCodexLineReader();
    const events = linesOf('exec').flatMap((line) => reader.onLine(line));
    expect(kinds(events).join(' ')).toBe(
      'session-id notice notice text tool-call tool-result tool-call tool-result tool-call tool-result text',
    );
    expect(said(events).text).toBe('I will write.\nAll done.\n===DONE===\n');
    expect(said(events).notices).toContain('Model metadata');
    expect(reader.state()).toEqual({
      threadId: '01a1e173-4d7e-7701-9d91-1e57c98394a4',
      tokens: { input: 240, output: 80, cacheRead: 160, cacheWrite: 0 },
      end: { kind: 'completed' },
    });
  });

  it('A usage limit in a recorded exec session is recognised by its text, with its end', () => {
    const reader = createCodexLineReader();
    for (const line of linesOf('exec-usage-limit')) reader.onLine(line);
    const { end } = reader.state();
    const message = end?.kind === 'failed' ? end.message : '';
    const context = {
      knowledge: defaultKnowledge,
      now: Date.parse('2026-11-15T23:03:13Z'),
      windowResetAt: null,
    };
    const { errorClass, resetAt } = failureOf({ message, info: null }, context);
    expect(errorClass).toBe('usage-limit');
    expect(resetAt).toBe(new Date(2026, 10, 16, 2, 3).getTime());
  });

  it('The reader of exec lines never throws, whatever the line', () => {
    const reader = createCodexLineReader();
    const odd = [
      '',
      '{',
      'null',
      '[]',
      '{"type":1}',
      '{"type":"item.completed"}',
      '{"type":"item.started","item":7}',
      '{"type":"turn.completed"}',
    ];
    for (const line of odd) expect(() => reader.onLine(line)).not.toThrow();
    for (const line of linesOf('exec'))
      for (const at of [1, 20, 60]) expect(() => reader.onLine(line.slice(0, at))).not.toThrow();
  });
});
