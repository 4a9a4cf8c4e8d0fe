import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openEndpoint } from '#test/agents/fake-endpoint.ts';
import { parseOpenaiOptions } from './openai-options.ts';
import { addressOf, probeProviders } from './providers.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const nowhere = 'http://127.0.0.1:9/v1';
const away = { ollama: nowhere, lmstudio: nowhere, vllm: nowhere, llamacpp: nowhere };

async function serve(get: { readonly [path: string]: unknown }): Promise<string> {
  const { baseUrl, close } = await openEndpoint(() => {}, get);
  closing.push(() => close());
  return baseUrl;
}

describe('local providers', () => {
  it('Local providers are found with their models, Ollama by its own list', async () => {
    const ollama = await serve({
      '/api/tags': { models: [{ name: 'qwen3-coder:30b' }, { name: 'llama3' }] },
    });
    const lmstudio = await serve({ '/v1/models': { data: [{ id: 'gpt-oss' }] } });
    expect(await probeProviders({ env: {}, addresses: { ...away, ollama, lmstudio } })).toEqual([
      { provider: 'ollama', baseUrl: ollama, models: ['qwen3-coder:30b', 'llama3'] },
      { provider: 'lmstudio', baseUrl: lmstudio, models: ['gpt-oss'] },
    ]);
  });

  it('A server that takes a second for its answer, as on a busy machine, is found', async () => {
    const slow = createServer((_, response) => {
      setTimeout(() => response.end(JSON.stringify({ models: [{ name: 'big' }] })), 1_000);
    });
    await new Promise<void>((resolve) => void slow.listen(0, '127.0.0.1', resolve));
    closing.push(async () => void slow.close());
    const ollama = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`;
    expect(await probeProviders({ env: {}, addresses: { ...away, ollama } })).toMatchObject([
      { provider: 'ollama', models: ['big'] },
    ]);
  });

  it('A provider is absent if nothing answers, if another program answers, or if the server stays silent', async () => {
    const other = await serve({ '/v1/models': 'hello' });
    const silent = await openSilent();
    const found = await probeProviders({
      env: {},
      timeoutMs: 100,
      addresses: { ...away, vllm: other, llamacpp: silent },
    });
    expect(found).toEqual([]);
  });

  it.each([
    [undefined, 'http://127.0.0.1:11434/v1'],
    ['', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['192.168.1.5', 'http://192.168.1.5:11434/v1'],
    ['192.168.1.5:9999', 'http://192.168.1.5:9999/v1'],
    ['http://box:80', 'http://box/v1'],
    [':9999', 'http://127.0.0.1:9999/v1'],
    ['https://ollama.example.com/', 'https://ollama.example.com/v1'],
    ['%%%', 'http://127.0.0.1:11434/v1'],
  ])('OLLAMA_HOST %j means %s', (host, expected) => {
    expect(addressOf('ollama', { OLLAMA_HOST: host })).toBe(expected);
    expect(addressOf('lmstudio', { OLLAMA_HOST: host })).toBe('http://127.0.0.1:1234/v1');
  });
});

describe('the options of the openai agent', () => {
  it("The openai options need little, and use the provider's key under its usual name", () => {
    expect(parseOpenaiOptions({ provider: 'openai' })).toMatchObject({
      apiKeyEnv: 'OPENAI_API_KEY',
      stepsMax: 200,
    });
    expect(parseOpenaiOptions({ provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1/' })).toMatchObject({
      apiKeyEnv: null,
      baseUrl: 'http://127.0.0.1:1/v1',
    });
  });

  it.each([
    [{}, 'needs "baseUrl"'],
    [{ baseUrl: 'localhost:1234' }, 'as an http or https address'],
    [{ baseUrl: 'http://me:key@host/v1' }, 'takes no key in "baseUrl"'],
    [{ provider: 'olama' }, 'knows no provider "olama"'],
    [{ provider: 'constructor' }, 'knows no provider'],
    [{ provider: 'ollama', apiKey: 'sk' }, 'has no option "apiKey"'],
    [{ provider: 'ollama', apiKeyEnv: 'sk-0123-456' }, 'the name of a variable'],
    [{ provider: 'ollama', stepsMax: 0 }, 'cannot take 0 as "stepsMax"'],
    [{ provider: 'ollama', temperature: 'hot' }, 'as "temperature"'],
    [{ provider: 'ollama', headers: { a: 1 } }, '"a" is none'],
    [{ provider: 'ollama', model: 3 }, 'takes "model" as a text'],
  ])('The openai options %j are refused in one sentence [X6]', (options, sentence) => {
    expect(() => parseOpenaiOptions(options)).toThrow(sentence);
    expect(() => parseOpenaiOptions(options)).toThrow(expect.objectContaining({ code: 'agent-options' }));
  });
});

async function openSilent(): Promise<string> {
  const { createServer } = await import('node:net');
  const server = createServer(() => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(async () => {
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
}
