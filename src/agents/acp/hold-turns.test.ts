import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestBed } from '#test/agents/acp-bed.ts';

const { base, cwd, start, run, heardBy, dispose } = createTestBed();
afterAll(dispose);

describe('ACP turns', () => {
  it('A message sent during a turn gets its own turn, and the tokens of both count [X1]', async () => {
    const session = await start('echoes');
    await session.send?.('one more thing');
    let text = '';
    for await (const event of session.events) if (event.type === 'text') text += event.text;
    expect(text).toBe('[1: do it][2: one more thing]');
    expect(await session.result).toMatchObject({ kind: 'finished', usage: { tokens: 200 } });
  });

  it.each([
    ['max_tokens', 'context-overflow'],
    ['refusal', 'refusal'],
    ['max_turn_requests', 'other'],
    ['cancelled', 'other'],
    ['something new', 'other'],
  ])('A turn that stops with %s has failed as %s', async (stop, errorClass) => {
    expect((await run('finishes', { flags: { stop } })).result).toMatchObject({ kind: 'failed', errorClass });
  });

  it.each(['session/prompt', 'session/new'])(
    'A turn that ends with an error at %s has failed by its class',
    async (errorAt) => {
      const error = { code: -32603, message: 'Internal error: Invalid API key' };
      const { result } = await run('finishes', { flags: { error, errorAt } });
      expect(result).toMatchObject({
        kind: 'failed',
        errorClass: 'authentication',
        detail: 'Invalid API key',
      });
      // What was never asked cost nothing; what was asked and told nothing is unknown.
      expect(result.usage.tokens).toBe(errorAt === 'session/new' ? 0 : null);
    },
  );

  it('A turn is over even if the agent does not exit when its input is closed [X11]', async () => {
    expect((await run('finishes', { flags: { staysAtEnd: true } })).result.kind).toBe('finished');
  });

  it('A session cannot be interrupted if its agent cannot resume', async () => {
    const session = await start('hangs', { flags: { resume: 'none' } });
    expect('interrupt' in session).toBe(false);
    await session.close('enough');
  });

  it.each([
    ['resume', true],
    ['load', true],
    ['none', false],
  ])(
    'A session says whether it can be resumed, by what the agent offers: %s [A1]',
    async (resume, isResumable) => {
      const session = await start('finishes', { flags: { resume } });
      expect(session.isResumable).toBe(isResumable);
      for await (const _ of session.events);
      await session.result;
    },
  );

  it('A session is interrupted even if the agent ignores the request [Q5]', async () => {
    const session = await start('hangs');
    await session.interrupt?.();
    for await (const _ of session.events);
    expect(await session.result).toMatchObject({ kind: 'interrupted', resumeId: 'fake-1' });
  });
});

describe('resuming an ACP session', () => {
  it('A resume by load waits until the whole history is replayed, also after the response [B3]', async () => {
    const { text } = await run('echoes', { flags: { resume: 'load' }, request: { resume: 'fake-1' } });
    expect(text).toBe('[1: do it]');
  });

  it.each(['load', 'resume'])(
    'A resume by %s repeats no old messages, and charges nothing old [X1]',
    async (resume) => {
      const { text, events, order } = await heardBy('tells-usage', {
        flags: { resume },
        request: { resume: 'fake-1' },
      });
      expect(order).toContain(`session/${resume}`);
      expect(text).toBe('');
      const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.usd] : []));
      // After a load the history's 5 USD stand; the 0.25 that come then are no sum that we can use.
      expect(told.at(-1)).toBe(resume === 'resume' ? 0.25 : 0);
    },
  );

  it.each([
    ['finds nothing', 'load', { errorAt: 'session/load', error: { code: -32603, message: 'No sessions' } }],
    [
      'has an error without words',
      'resume',
      { errorAt: 'session/resume', error: { code: -32603, message: 'Internal error' } },
    ],
    ['does not know the session', 'resume', {}],
    ['is not offered', 'none', {}],
    ['gives no answer', 'resume', { silentAt: 'session/resume' }],
  ])(
    'A resumed session ends as gone if the agent %s, and starts no new conversation [A1]',
    async (_, resume, flags) => {
      const { order, events, result } = await heardBy('finishes', {
        flags: { resume, ...flags },
        options: { resumeTimeoutMs: 'silentAt' in flags ? 1 : 60_000 },
        request: { resume: 'lost', prompt: 'what was meant for a conversation' },
      });
      expect(order).not.toContain('session/new');
      expect(order).not.toContain('session/prompt');
      expect(result).toMatchObject({
        kind: 'failed',
        errorClass: 'conversation-gone',
        detail: expect.stringMatching(/./) as unknown,
        usage: { usd: 0, tokens: 0 },
      });
      expect(events.filter(({ type }) => type === 'session-id')).toEqual([]);
    },
  );

  it.each([
    ['authentication', { code: -32000, message: 'Authentication required' }],
    ['overloaded', { code: 503, message: 'Service unavailable' }],
  ])(
    'A resume keeps an error class that a new session would get as well: %s [A1]',
    async (errorClass, error) => {
      const { result } = await run('finishes', {
        flags: { error, errorAt: 'session/resume' },
        request: { resume: 'fake-1' },
      });
      expect(result).toMatchObject({ kind: 'failed', errorClass });
    },
  );

  it.each(['resume', 'load'])(
    'A resume by %s counts for each of ten sessions of one conversation only its own usage [A1] [X1]',
    async (resume) => {
      const flags = { resume, ledger: join(base, `ledger-${resume}`) };
      const told: unknown[] = [];
      for (let turn = 0; turn < 10; turn += 1) {
        const request = { resume: turn === 0 ? null : 'fake-1' };
        told.push((await run('costs', { flags, request })).result.usage);
      }
      expect(told).toEqual(Array.from({ length: 10 }, () => ({ usd: 0.25, tokens: 100 })));
    },
  );

  it('A resume counts the whole sum if the agent restarted its sum [A1] [X1]', async () => {
    const ledger = join(base, 'ledger-anew');
    const one = { flags: { ledger } };
    await run('costs', one);
    await run('costs', { ...one, request: { resume: 'fake-1' } });
    writeFileSync(ledger, '0');
    expect((await run('costs', { ...one, request: { resume: 'fake-1' } })).result.usage.usd).toBe(0.25);
  });
});

describe('messages of an ACP agent', () => {
  it('Messages of another session of the agent are not reported by ours [B3]', async () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'FOREIGN' } };
    const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'other', update } };
    const { text } = await run('finishes', { flags: { raw: [JSON.stringify(message)] } });
    expect(text).toBe('hello from the agent');
  });

  it('An invalid message of an agent is a notice, and the rest is not lost', async () => {
    const { text, notices, result } = await run('finishes', { flags: { raw: ['Loaded config.', '[1,2]'] } });
    expect(text).toBe('hello from the agent');
    expect(notices).toContain('Loaded config.');
    expect(result.kind).toBe('finished');
  });

  it('A request of 20 MB is refused, and the session continues', async () => {
    const params = { path: join(cwd, 'big.txt'), content: '' };
    const { text, result } = await run('asks', {
      flags: { ask: { method: 'fs/write_text_file', params }, padding: 20_000_000 },
    });
    expect([text, result.kind]).toEqual([expect.stringContaining('too long'), 'finished']);
  });

  it('Tool calls and their results are reported, and tokens are priced by the list if no cost is given [X1]', async () => {
    const knowledge = {
      prices: { m: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } },
      usageLimitWordings: [],
    };
    const { events } = await run('uses-a-tool');
    expect(events).toContainEqual({ type: 'tool-call', id: 't1', name: 'edit', summary: 'write' });
    expect(events).toContainEqual({ type: 'notice', text: '→ write a.txt' });
    expect(events).toContainEqual({ type: 'tool-result', id: 't1', isError: false, summary: 'written' });
    const priced = await run('echoes', { flags: { models: ['m'] }, request: { model: 'm', knowledge } });
    expect(priced.result.usage).toEqual({ usd: 70, tokens: 100 });
  });
});
