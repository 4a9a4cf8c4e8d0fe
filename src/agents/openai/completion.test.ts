import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, openEndpoint, say, send, sendChunk, sendJson } from '#test/agents/fake-endpoint.ts';
import type { Answer } from '#test/agents/fake-endpoint.ts';
import { hear, openStage, until } from '#test/agents/fake-session.ts';
import type { Stage } from '#test/agents/fake-session.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.dispose();
});

const error = (message: string) => ({ error: { message } });

describe('an endpoint with errors', () => {
  it.each([
    [401, error('Incorrect API key'), 'authentication', 1],
    [404, error('model "m" not found, try pulling it first'), 'unknown-model', 1],
    [400, error('messages must alternate'), 'invalid-request', 2],
    [429, error('usage limit reached'), 'usage-limit', 1],
    [429, error('slow down'), 'overloaded', 3],
    [500, error('oops'), 'overloaded', 3],
    [529, error('overloaded'), 'overloaded', 3],
    [503, '<html>bad gateway</html>', 'overloaded', 3],
    [301, 'moved', 'other', 1],
  ])(
    'An endpoint that answers %i %j is classified as %s after %i requests [U5]',
    async (status, body, errorClass, requests) => {
      const { result, asked, baseUrl } = await stage.play((_, response) => sendJson(response, status, body));
      expect(result).toMatchObject({ kind: 'failed', errorClass });
      expect(result.kind === 'failed' && result.detail).toContain(`${baseUrl} answered ${status}`);
      expect(asked).toHaveLength(requests);
    },
  );

  it('An endpoint error reports when a usage limit ends [U5]', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 7_200;
    const { result } = await stage.play((_, response) =>
      sendJson(response, 429, error(`usage limit reached|${reset}`)),
    );
    expect(result).toMatchObject({ kind: 'failed', errorClass: 'usage-limit', resetAt: reset * 1000 });
  });

  it('An endpoint that fails once and then answers does not fail the session', async () => {
    const { result, notices } = await stage.play(({ count }, response) => {
      if (count === 1) return sendJson(response, 529, error('overloaded'));
      return say(response, { text: 'done' });
    });
    expect(result.kind).toBe('finished');
    expect(notices.join()).toContain('Trying again');
  });

  it('An error in the middle of a stream is read from the stream', async () => {
    const { result } = await stage.play((_, response) => {
      begin(response);
      sendChunk(response, { content: 'half' });
      send(response, error('usage limit reached'));
      response.end();
    });
    expect(result).toMatchObject({ kind: 'failed', errorClass: 'usage-limit' });
  });

  it('A stream that closes too early is a network error, and no text is reported twice', async () => {
    for (const close of ['end', 'destroy'] as const) {
      const { result, text, asked } = await stage.play((_, response) => {
        begin(response);
        sendChunk(response, { content: 'half an ans' });
        setTimeout(() => response[close](), 50);
      });
      expect(result).toMatchObject({ kind: 'failed', errorClass: 'network' });
      expect([text, asked.length]).toEqual(['half an ans', 1]);
    }
  });

  it.each<[string, Answer]>([
    ['before its headers', () => {}],
    [
      'in the middle of a stream',
      (_, response) => {
        begin(response);
        sendChunk(response, { content: 'up' });
      },
    ],
  ])('An endpoint that falls silent %s is ended from outside [Q6]', async (_, answer) => {
    const { session, asked } = await stage.start(answer);
    const heard = hear(session);
    await until(() => asked.length > 0);
    await session.close('it was silent');
    expect((await heard).result.kind).toBe('crashed');
  });

  it('An endpoint that sends a web page is not asked again, and the page and the address are named [X6]', async () => {
    const { result, asked, baseUrl } = await stage.play((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html>\n<html><title>log in first</title></html>');
    });
    expect(result).toMatchObject({ kind: 'failed', errorClass: 'invalid-request' });
    expect(result.kind === 'failed' && result.detail).toContain(`${baseUrl} answered with a web page`);
    expect(result.kind === 'failed' && result.detail).toContain('log in first');
    expect(asked).toHaveLength(1);
  });

  it('An endpoint that sends invalid events counts as crashed, and the received data is named', async () => {
    const { result } = await stage.play((_, response) => {
      begin(response);
      send(response, '{{ nonsense');
      response.end();
    });
    expect(result).toMatchObject({
      kind: 'crashed',
      detail: expect.stringContaining('{{ nonsense') as string,
    });
  });

  it('An event that never ends is cut off after a few megabytes, and the connection is closed [B9]', async () => {
    let sent = 0;
    const { result } = await stage.play(async (_, response) => {
      begin(response);
      response.write('data: {"choices":[{"delta":{"content":"');
      for (; sent < 1_000 && !response.destroyed; sent += 1) {
        if (!response.write('x'.repeat(1_000_000)))
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    });
    expect(result).toMatchObject({
      kind: 'crashed',
      detail: expect.stringContaining('without an end') as string,
    });
    expect(sent).toBeLessThan(500);
  });

  it('An endpoint that redirects to another address gets no key sent there [X11]', async () => {
    const other = await openEndpoint((_, response) => say(response, { text: 'caught' }));
    const { result, asked } = await stage.play(
      (_, response) => sendJson(response, 307, 'moved', { location: `${other.baseUrl}/chat/completions` }),
      {},
      { headers: { 'X-Api-Key': 'sk-secret-0123456789' } },
    );
    await other.close();
    expect(result).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('answered 307') as string,
    });
    expect([asked.length, other.asked.length]).toEqual([1, 0]);
  });

  it('A refused key is reported with the variable that holds it [X6]', async () => {
    const { result } = await stage.play(
      (_, response) => sendJson(response, 401, error('Incorrect API key')),
      { env: { PATH: process.env['PATH'] ?? '', HOME: stage.root, HOUSE_KEY: 'sk-wrong-0123456789' } },
      { apiKeyEnv: 'HOUSE_KEY' },
    );
    expect(result.kind === 'failed' && result.detail).toContain('check the key in HOUSE_KEY');
    const without = await stage.play((_, response) => sendJson(response, 401, error('No key')));
    expect(without.result.kind === 'failed' && without.result.detail).toContain(
      'it wants a key: name the variable that holds it by "apiKeyEnv"',
    );
  });

  it('A missing endpoint is reported in one sentence with the address and how to check it [X6]', async () => {
    const { result } = await stage.play(
      () => {},
      {},
      { baseUrl: 'http://127.0.0.1:9/v1', provider: 'ollama' },
    );
    expect(result).toMatchObject({
      kind: 'failed',
      errorClass: 'network',
      detail:
        'Ollama does not answer at http://127.0.0.1:9/v1 (connect ECONNREFUSED 127.0.0.1:9). Check it with: curl http://127.0.0.1:9/v1/models, or start it with: ollama serve.',
    });
  });
});

describe('endpoints with fewer features', () => {
  const picky =
    (isRefused: (body: { readonly [key: string]: unknown }) => string | null): Answer =>
    ({ body }, response) => {
      const complaint = isRefused(body);
      return complaint === null
        ? say(response, { text: 'fine', usage: null })
        : sendJson(response, 400, error(complaint));
    };

  it('An endpoint without stream options is not sent any, and its usage is unknown, not zero [X1]', async () => {
    const { result } = await stage.play(
      picky((body) => (body['stream_options'] === undefined ? null : 'Extra inputs are not permitted')),
    );
    expect(result).toMatchObject({ kind: 'finished', usage: { tokens: null, usd: null } });
  });

  it('An endpoint that rejects the name of the token limit gets the other name', async () => {
    const { result, asked } = await stage.play(
      picky((body) => (body['max_tokens'] === undefined ? null : "Use 'max_completion_tokens' instead")),
      {},
      { maxTokens: 77 },
    );
    expect(result.kind).toBe('finished');
    expect(asked.at(-1)?.body['max_completion_tokens']).toBe(77);
  });

  it('An endpoint without tools gets them in the prompt, and its calls are read from the text', async () => {
    const { result, results, asked } = await stage.play(({ body, messages }, response) => {
      if (body['tools'] !== undefined) return sendJson(response, 400, error('m does not support tools'));
      const isTold =
        messages[0]?.content.includes('"name":"read"') === true &&
        !messages.some(({ role }) => role === 'tool');
      const isAnswered = messages.at(-1)?.content.includes('<tool_response>') === true;
      if (!isTold || isAnswered) return say(response, { text: 'done' });
      return say(response, { text: '<tool_call>{"name": "list", "arguments": {}}</tool_call>' });
    });
    expect([result.kind, results.length, asked.length]).toEqual(['finished', 1, 3]);
  });

  it('An endpoint may answer in one response instead of a stream', async () => {
    const { text, result } = await stage.play((_, response) =>
      sendJson(response, 200, {
        choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      }),
    );
    expect([text, result.kind, result.usage.tokens]).toEqual(['whole', 'finished', 7]);
  });
});

describe('the cost of a session', () => {
  const priced = {
    prices: { 'm*': { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 } },
    usageLimitWordings: [],
  };
  const usage = {
    prompt_tokens: 2_000,
    completion_tokens: 100,
    prompt_tokens_details: { cached_tokens: 1_000 },
  };
  const twice: Answer = ({ count }, response) =>
    say(response, count === 1 ? { calls: [['list', {}]], usage } : { text: 'done', usage });

  it('The cost of a session is the sum over its requests, by the price table [X1]', async () => {
    const { result, events } = await stage.play(twice, { knowledge: priced });
    expect(result.usage).toEqual({ tokens: 4_200, usd: expect.closeTo(0.0042, 6) as number });
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(2);
  });

  it('The cost is unknown without a price, zero on this machine, or the cost that the endpoint reports [X1]', async () => {
    expect((await stage.play(twice)).result.usage).toEqual({ tokens: 4_200, usd: null });
    expect((await stage.play(twice, {}, { provider: 'ollama' })).result.usage.usd).toBe(0);
    expect(
      (await stage.play(twice, {}, { provider: 'ollama', model: 'big:cloud' })).result.usage.usd,
    ).toBeNull();
    const told = await stage.play((_, response) =>
      say(response, { text: 'x', usage: { ...usage, cost: 0.5 } }),
    );
    expect(told.result.usage.usd).toBe(0.5);
  });
});

describe('the API key', () => {
  const key = 'sk-secret-0123456789';
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', MY_KEY: key, OTHER: 'o' };

  it('The key is sent only to the endpoint: it is in no event, no command and no transcript [X11]', async () => {
    const { events, asked, result } = await stage.play(
      ({ count, headers }, response) => {
        if (count === 1) return say(response, { calls: [['run', { command: 'env; echo "[$MY_KEY]"' }]] });
        return sendJson(response, 400, error(`no such ${String(headers.authorization)}`));
      },
      { env: { ...env, HOME: stage.root } },
      { apiKeyEnv: 'MY_KEY', headers: { 'X-Title': '${OTHER}' } },
    );
    expect(asked[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'x-title': 'o' });
    expect(JSON.stringify([events, result])).not.toContain(key);
    expect(asked[1]?.last).toContain('OTHER=o');
    // Not even as something that would have to be taken out again.
    expect(asked[1]?.last).toContain('[]');
    expect(asked[1]?.last).not.toContain('MY_KEY');
  });

  it('A missing key is reported in one sentence that names the variable [X6]', async () => {
    await expect(stage.start(() => {}, {}, { apiKeyEnv: 'NO_KEY' })).rejects.toMatchObject({
      code: 'no-api-key',
      message: expect.stringContaining('NO_KEY') as string,
    });
  });
});
