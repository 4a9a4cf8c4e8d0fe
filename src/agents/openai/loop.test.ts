import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say, sendJson } from '#test/agents/fake-endpoint.ts';
import type { Answer, Said } from '#test/agents/fake-endpoint.ts';
import { hear, openStage, until } from '#test/agents/fake-session.ts';
import type { Stage } from '#test/agents/fake-session.ts';
import type { AgentEvent } from '#ports/agent.ts';
import type { Message } from './chat.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.dispose();
});

/** The first request gets the first answer; the last one repeats. */
const answers =
  (...said: readonly Said[]): Answer =>
  ({ count }, response) =>
    say(response, said[Math.min(count, said.length) - 1] ?? {});

describe('the tool loop', () => {
  it('The tool loop edits real files and runs real commands until an answer calls no tool [B8]', async () => {
    await writeFile(join(stage.cwd, 'sum.mjs'), 'export const sum = (a, b) => a - b;\n');
    const { asked, result, results, text } = await stage.play(
      answers(
        { text: 'Let me look.', calls: [['read', { path: 'sum.mjs' }]] },
        { calls: [['edit', { path: 'sum.mjs', old: 'a - b', new: 'a + b' }]] },
        {
          calls: [
            [
              'write',
              {
                path: 'test/sum.test.mjs',
                content: "import { sum } from '../sum.mjs';\nif (sum(2, 2) !== 4) process.exit(1);\n",
              },
            ],
          ],
        },
        { calls: [['run', { command: 'node test/sum.test.mjs && echo green' }]] },
        { text: 'It adds now.' },
      ),
    );
    expect(result.kind).toBe('finished');
    expect(await readFile(join(stage.cwd, 'sum.mjs'), 'utf8')).toBe('export const sum = (a, b) => a + b;\n');
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect(asked[4]?.last).toBe('[exit 0]\ngreen\n');
    expect(text).toBe('Let me look.It adds now.');
    expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  });

  it('The tool loop runs several tools of one answer in order, each with its own result', async () => {
    const { asked, results } = await stage.play(
      answers(
        {
          calls: [
            ['write', { path: 'a', content: '1' }],
            ['run', { command: 'cat a; echo 2 >a' }],
            ['read', { path: 'a' }],
          ],
        },
        { text: 'done' },
      ),
    );
    expect(results.map(({ summary }) => summary)).toEqual(['Wrote 1 characters to a.', '[exit 0]\n1', '2\n']);
    expect(asked[1]?.messages.slice(3).map((one) => ('tool_call_id' in one ? one.tool_call_id : ''))).toEqual(
      ['id-write-0', 'id-run-1', 'id-read-2'],
    );
  });

  it.each([
    ['arguments that are no JSON', ['read', '{"path": "a'], 'no valid JSON'],
    ['arguments that are no object', ['read', '[1]'], 'must be a JSON object'],
    ['an unknown tool', ['delete_everything', {}], 'There is no tool "delete_everything"'],
    ['a missing argument', ['read', {}], '"path" is missing'],
    ['a missing file', ['read', { path: 'absent' }], 'no such file'],
    ['a passage that is not there', ['edit', { path: 'f', old: 'zzz', new: 'y' }], 'is not in the file'],
  ] as const)('The tool loop returns %s to the model and continues', async (_, call, complaint) => {
    await writeFile(join(stage.cwd, 'f'), 'text');
    const { asked, result, results } = await stage.play(answers({ calls: [call] }, { text: 'I see' }));
    expect(result.kind).toBe('finished');
    expect(results[0]?.isError).toBe(true);
    expect(asked[1]?.last).toContain(complaint);
    // Endpoints parse the arguments of old calls again: they must be JSON, whatever the model wrote.
    const [, , assistant] = asked[1]?.messages ?? [];
    const given = assistant?.role === 'assistant' ? assistant.tool_calls?.[0]?.function.arguments : undefined;
    expect(() => JSON.parse(given ?? '') as unknown).not.toThrow();
  });

  it('A read-only role gets no tool that writes, but may run checks [B8]', async () => {
    const { asked, results } = await stage.play(
      answers(
        {
          calls: [
            ['write', { path: 'a', content: 'x' }],
            ['run', { command: 'echo checked' }],
          ],
        },
        { text: 'done' },
      ),
      { readOnly: true },
    );
    const tools = asked[0]?.body['tools'] as { readonly function: { readonly name: string } }[];
    expect(tools.map((tool) => tool.function.name)).toEqual(['read', 'list', 'search', 'run']);
    expect(results.map(({ isError }) => isError)).toEqual([true, false]);
    await expect(readFile(join(stage.cwd, 'a'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['<tool_call>\n{"name": "read", "arguments": {"path": "f"}}\n</tool_call>'],
    ['<tool_call><function=read>\n<parameter=path>\nf\n</parameter>\n</function></tool_call>'],
    ['I look at it:\n```json\n{"name": "read", "arguments": {"path": "f"}}\n```\n'],
    ['{"name": "read", "parameters": {"path": "f"}}'],
    ['[TOOL_CALLS][{"name": "read", "arguments": {"path": "f"}}]'],
    [
      '<think>I call <tool_call>{"name":"list","arguments":{}}</tool_call></think><tool_call>{"name":"read","arguments":{"path":"f"}}',
    ],
  ])('The tool loop accepts a call that a weak model wrote as text: %s', async (text) => {
    await writeFile(join(stage.cwd, 'f'), 'the content of f');
    const { asked, results, result } = await stage.play(answers({ text }, { text: 'done' }));
    expect(results).toHaveLength(1);
    expect(asked[1]?.last).toContain('the content of f');
    expect(result.kind).toBe('finished');
  });

  it('Several written calls get one reply, so that user and assistant alternate', async () => {
    const call = '<tool_call>{"name": "list", "arguments": {}}</tool_call>';
    const { asked, results } = await stage.play(answers({ text: call + call }, { text: 'done' }));
    expect(results).toHaveLength(2);
    expect(asked[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('Calls without an id, or with one that was used before, get their own id', async () => {
    const reuse: Answer = ({ count }, response) => {
      if (count > 2) return say(response, { text: 'done' });
      const call = { function: { name: 'list', arguments: {} } };
      const calls = [call, { ...call, id: 'same' }, { ...call, id: 'same' }];
      return sendJson(response, 200, {
        choices: [{ message: { tool_calls: calls }, finish_reason: 'tool_calls' }],
      });
    };
    const { asked, result } = await stage.play(reuse);
    expect(result.kind).toBe('finished');
    const ids = asked[2]?.messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : [])) ?? [];
    const called = asked[2]?.messages.flatMap((one) =>
      one.role === 'assistant' ? (one.tool_calls ?? []) : [],
    );
    expect(ids).toEqual(called?.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  });

  it('The tool loop accepts no call from prose, nor of an unknown tool', async () => {
    const text =
      'The config is:\n```json\n{"name": "my-package", "arguments": {"path": "f"}}\n```\nUse read("f").';
    const { asked, result } = await stage.play(answers({ text }));
    expect([asked.length, result.kind]).toEqual([1, 'finished']);
  });

  it('The tool loop asks again after an empty answer, and gives up after three [X6]', async () => {
    const once = await stage.play(answers({}, { text: 'now' }));
    expect(once.result.kind).toBe('finished');
    expect(once.asked[1]?.last).toContain('was empty');
    const never = await stage.play(answers({}));
    expect(never.result).toMatchObject({ kind: 'failed', errorClass: 'other' });
    expect(never.asked).toHaveLength(3);
  });

  it('An answer that was cut off by length may continue, but not for ever', async () => {
    const once = await stage.play(answers({ text: 'half', finish: 'length' }, { text: ' whole' }));
    expect([once.text, once.result.kind]).toEqual(['half whole', 'finished']);
    const never = await stage.play(answers({ text: 'more', finish: 'length' }));
    expect(never.result).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('maxTokens') as string,
    });
    expect(never.asked).toHaveLength(5);
  });

  it('The model learns that its cut-off call was cut off', async () => {
    const { asked } = await stage.play(
      answers({ calls: [['write', '{"path": "a", "content": "x']], finish: 'length' }, { text: 'done' }),
    );
    expect(asked[1]?.last).toContain('write less at once');
  });

  it.each([
    ['a content filter', { finish: 'content_filter' }],
    ['the model itself', { finish: 'stop' }],
  ])('An answer that %s withholds is a refusal', async (_, { finish }) => {
    const { result } = await stage.play((_asked, response) => {
      sendJson(response, 200, {
        choices: [
          {
            message: { content: null, ...(finish === 'stop' && { refusal: 'I will not.' }) },
            finish_reason: finish,
          },
        ],
      });
    });
    expect(result).toMatchObject({ kind: 'failed', errorClass: 'refusal' });
  });

  it('The tool loop asks for a final answer without tools when the steps are used up', async () => {
    const { asked, result, text } = await stage.play(
      ({ body }, response) =>
        say(response, body['tools'] === undefined ? { text: 'as far as I came' } : { calls: [['list', {}]] }),
      {},
      { stepsMax: 4 },
    );
    expect([asked.length, result.kind, text]).toEqual([5, 'finished', 'as far as I came']);
  });

  it('A full context is shortened from its oldest messages, and the session gives up if nothing can be shortened', async () => {
    await writeFile(join(stage.cwd, 'big'), 'x'.repeat(20_000));
    const limited =
      (max: number): Answer =>
      ({ body, messages }, response) => {
        const isFull = JSON.stringify(body['messages']).length > max;
        if (isFull)
          return sendJson(response, 400, { error: { message: 'This exceeds the maximum context length' } });
        const reads = messages.filter(({ role }) => role === 'tool').length;
        return say(response, reads < 8 ? { calls: [['read', { path: 'big' }]] } : { text: 'done' });
      };
    const fits = await stage.play(limited(70_000));
    expect(fits.result.kind).toBe('finished');
    expect(fits.notices).toContain('The context is full: what is old is shortened.');
    expect(fits.asked.at(-1)?.messages[1]?.content).toBe('do it');
    const never = await stage.play(limited(1_000));
    expect(never.result).toMatchObject({ kind: 'failed', errorClass: 'context-overflow' });
  });

  it('The reasoning of a model is not part of its text [B5]', async () => {
    const { text, notices } = await stage.play(
      answers({ text: '\n<think>shall I say ==DONE==?</think>\nNot yet.' }),
    );
    expect(text).toBe('Not yet.');
    expect(notices.join('')).toContain('shall I say');
  });

  it('A message reaches the model before its next step, and continues the session after its final answer [Q5]', async () => {
    const held = Promise.withResolvers<void>();
    const { session, asked } = await stage.start(async ({ last }, response) => {
      await held.promise;
      say(response, last === 'and tests' ? { text: 'tests too' } : { text: 'done' });
    });
    await until(() => asked.length === 1);
    await session.send?.('and tests');
    held.resolve();
    const { text, result } = await hear(session);
    expect([text, result.kind, asked.length]).toEqual(['donetests too', 'finished', 2]);
  });

  it('An interrupted session resumes with its calls answered and nothing lost [Q5]', async () => {
    await mkdir(join(stage.cwd, 'sub'));
    const { session } = await stage.start(
      answers({
        text: 'up',
        calls: [
          ['run', { command: 'sleep 300' }],
          ['list', {}],
        ],
      }),
    );
    for await (const event of session.events) if (event.type === 'tool-call') void session.interrupt?.();
    const result = await session.result;
    if (result.kind !== 'interrupted') throw new Error(`it is ${result.kind}`);
    const again = await stage.play(answers({ text: 'went on' }), {
      resume: result.resumeId,
      prompt: 'go on',
    });
    expect(again.result.kind).toBe('finished');
    const roles = again.asked[0]?.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user']);
    expect(again.asked[0]?.last).toBe('go on');
  });

  it('A conversation continues after each session ended at a call, even if the model repeats its ids [A1] [A9] [Q5]', async () => {
    const list: Said = { calls: [['list', {}]] };
    const first = await stage.play(answers(list, { text: 'done' }));
    let resume = idIn(first.events);
    for (let turn = 0; turn < 3; turn += 1) {
      const { session } = await stage.start(answers(list), { resume });
      for await (const event of session.events) {
        if (event.type === 'session-id') resume = event.id;
        if (event.type === 'tool-call') void session.close('the driver ended');
      }
    }
    const { asked, result } = await stage.play(answers(list, { text: 'done' }), { resume });
    expect(result.kind).toBe('finished');
    const messages = asked.at(-1)?.messages ?? [];
    expect(unansweredCalls(messages)).toEqual([]);
    const ids = messages.flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : []));
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });

  it('A call without a result after a kill gets one, even if its id was used before and more messages followed [A1] [A9] [Q5]', async () => {
    const first = await stage.play(answers({ calls: [['list', {}]] }, { text: 'done' }));
    const resume = idIn(first.events);
    const file = join(stage.root, '.local/state/untildone/transcripts', `${resume}.jsonl`);
    const call = { id: 'id-list-0', type: 'function', function: { name: 'list', arguments: '{}' } };
    const killed = { role: 'assistant', content: '', tool_calls: [call] };
    const lines = [killed, { role: 'user', content: 'go on' }, killed].map((one) => JSON.stringify(one));
    await appendFile(file, `${lines.join('\n')}\n`);
    const { asked, result } = await stage.play(answers({ text: 'done' }), { resume });
    expect(result.kind).toBe('finished');
    expect(unansweredCalls(asked[0]?.messages ?? [])).toEqual([]);
  });

  it('A transcript line that a kill cut short does not damage later messages [A1] [D4]', async () => {
    const first = await stage.play(answers({ text: 'one' }), { prompt: 'first' });
    const resume = idIn(first.events);
    const file = join(stage.root, '.local/state/untildone/transcripts', `${resume}.jsonl`);
    await appendFile(file, '{"role":"assistant","conte');
    await stage.play(answers({ text: 'two' }), { resume, prompt: 'second' });
    const { asked } = await stage.play(answers({ text: 'three' }), { resume, prompt: 'third' });
    const said = asked[0]?.messages.slice(1).map(({ content }) => content);
    expect(said).toEqual(['first', 'one', 'second', 'two', 'third']);
  });

  it.each(['no-such-id', '../../etc/passwd', ''])(
    'A session that cannot resume %j ends as gone, and does not call the model [A1]',
    async (resume) => {
      const { result, asked } = await stage.play(answers({}), { resume });
      expect(result).toMatchObject({ kind: 'failed', errorClass: 'conversation-gone' });
      expect([asked, result.usage]).toEqual([[], { usd: 0, tokens: 0 }]);
    },
  );

  it('Each of ten sessions of one conversation counts only its own usage [A1] [X1]', async () => {
    // Each turn sends the whole history again, so it costs more than the one before.
    const answer: Answer = ({ messages }, response) =>
      say(response, {
        text: 'done',
        usage: { prompt_tokens: 10 * messages.length, completion_tokens: 5 },
      });
    const told: (number | null)[] = [];
    let resume: string | null = null;
    for (let turn = 0; turn < 10; turn += 1) {
      const { result, events }: Awaited<ReturnType<Stage['play']>> = await stage.play(answer, { resume });
      told.push(result.usage.tokens);
      resume = idIn(events);
    }
    expect(told).toEqual(Array.from({ length: 10 }, (_, turn) => 10 * (2 + 2 * turn) + 5));
  });
});

function idIn(events: readonly AgentEvent[]): string | null {
  return events.find((event) => event.type === 'session-id')?.id ?? null;
}

/** Real endpoints refuse a conversation in which a call is not followed by its result, before anything else. */
function unansweredCalls(messages: readonly Message[]): string[] {
  return messages.flatMap((one, index) => {
    const calls = one.role === 'assistant' ? (one.tool_calls ?? []) : [];
    const after = messages.slice(index + 1, index + 1 + calls.length);
    const results = after.map((next) => (next.role === 'tool' ? next.tool_call_id : null));
    return calls.filter(({ id }) => !results.includes(id)).map(({ id }) => id);
  });
}
