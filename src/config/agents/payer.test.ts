import { describe, expect, it } from 'vitest';
import type { AgentConfig, Payer } from '#kernel/model/config.ts';
import type { PayerInput } from './payer.ts';
import { settlePayers } from './payer.ts';

const claude: AgentConfig = { driver: 'claude', env: [], options: {} };
const codex: AgentConfig = { driver: 'codex', env: [], options: {} };
const gemini: AgentConfig = { driver: 'acp', env: [], options: { command: ['gemini', '--acp'] } };

const claudeLogin = { '/h/.claude/.credentials.json': '{"claudeAiOauth":{"accessToken":"t"}}' };
const codexLogin = { '/h/.codex/auth.json': '{"OPENAI_API_KEY":null,"tokens":{"id_token":"t"}}' };
const geminiLogin = { '/h/.gemini/oauth_creds.json': '{"access_token":"t"}' };

interface Scene {
  readonly env?: { readonly [name: string]: string };
  /** What the repository's `.env` adds. */
  readonly file?: { readonly [name: string]: string };
  readonly files?: { readonly [path: string]: string };
  readonly wish?: PayerInput['wish'];
  readonly models?: readonly string[];
}

async function settle(agent: AgentConfig, scene: Scene = {}): Promise<AgentConfig & { payer: Payer }> {
  const ownEnv = { HOME: '/h', PATH: '/bin', ...scene.env };
  const settled = await settlePayers({
    agents: { it: agent },
    env: { ...scene.file, ...ownEnv },
    ownEnv,
    wish: scene.wish ?? null,
    models: { it: scene.models ?? [] },
    read: async (path) => scene.files?.[path] ?? null,
  });
  return settled['it'] as AgentConfig & { payer: Payer };
}

describe('The payer before money is spent', () => {
  const cases: [string, AgentConfig, Scene, Payer, string[]][] = [
    [
      'a Claude login',
      claude,
      { files: claudeLogin },
      { kind: 'subscription', name: 'your Claude subscription' },
      [],
    ],
    [
      'a Claude login whose secret the system keeps',
      claude,
      { files: { '/h/.claude.json': '{"oauthAccount":{"emailAddress":"a"}}' } },
      { kind: 'subscription', name: 'your Claude subscription' },
      [],
    ],
    [
      'a login at the console, billed by use',
      claude,
      { files: { '/h/.claude.json': '{"oauthAccount":{},"primaryApiKey":"k"}' } },
      { kind: 'account', name: 'your Anthropic Console account' },
      [],
    ],
    [
      'a Claude token in a variable',
      claude,
      { file: { CLAUDE_CODE_OAUTH_TOKEN: 't' } },
      { kind: 'subscription', name: 'your Claude subscription' },
      ['CLAUDE_CODE_OAUTH_TOKEN'],
    ],
    [
      'a key that the person exported, which Claude prefers to its login',
      claude,
      { files: claudeLogin, env: { ANTHROPIC_API_KEY: 'k' } },
      { kind: 'key', name: 'ANTHROPIC_API_KEY' },
      ['ANTHROPIC_API_KEY'],
    ],
    [
      'a cloud',
      claude,
      { files: claudeLogin, env: { CLAUDE_CODE_USE_BEDROCK: '1', AWS_PROFILE: 'p', ANTHROPIC_API_KEY: 'k' } },
      { kind: 'account', name: 'your AWS account (Bedrock)' },
      ['CLAUDE_CODE_USE_BEDROCK', 'AWS_PROFILE'],
    ],
    [
      'a cloud that is switched off',
      claude,
      { files: claudeLogin, env: { CLAUDE_CODE_USE_BEDROCK: '0' } },
      { kind: 'subscription', name: 'your Claude subscription' },
      [],
    ],
    [
      'a ChatGPT login, which Codex prefers to OPENAI_API_KEY',
      codex,
      { files: codexLogin, env: { OPENAI_API_KEY: 'k' } },
      { kind: 'subscription', name: 'your ChatGPT subscription' },
      [],
    ],
    [
      'a Codex home of its own',
      codex,
      {
        files: { '/c/auth.json': '{"tokens":{"id_token":"t"}}', ...codexLogin },
        env: { CODEX_HOME: '/c' },
      },
      { kind: 'subscription', name: 'your ChatGPT subscription' },
      ['CODEX_HOME'],
    ],
    [
      'a key kept by Codex',
      codex,
      { files: { '/h/.codex/auth.json': '{"OPENAI_API_KEY":"sk-x"}' } },
      { kind: 'account', name: 'your OpenAI account, by the key in /h/.codex/auth.json' },
      [],
    ],
    [
      'CODEX_API_KEY before its login',
      codex,
      { files: codexLogin, env: { CODEX_API_KEY: 'k' } },
      { kind: 'key', name: 'CODEX_API_KEY' },
      ['CODEX_API_KEY'],
    ],
    [
      'a Gemini login',
      gemini,
      { files: geminiLogin },
      { kind: 'subscription', name: 'your Google login' },
      [],
    ],
    [
      'a Gemini key that was chosen instead of a login',
      gemini,
      {
        files: {
          ...geminiLogin,
          '/h/.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
        },
        env: { GEMINI_API_KEY: 'k' },
      },
      { kind: 'key', name: 'GEMINI_API_KEY' },
      ['GEMINI_API_KEY'],
    ],
    [
      'a key in .env where there is no login',
      gemini,
      { file: { GEMINI_API_KEY: 'k' } },
      { kind: 'key', name: 'GEMINI_API_KEY (from .env)' },
      ['GEMINI_API_KEY'],
    ],
    [
      'nothing found',
      claude,
      { env: { ANTHROPIC_API_KEY: ' ' } },
      { kind: 'unknown', name: 'no login and no key was found (start `claude` once and say /login)' },
      [],
    ],
    [
      'damaged login files',
      codex,
      { files: { '/h/.codex/auth.json': '{"tok' } },
      { kind: 'unknown', name: 'no login and no key was found (codex login)' },
      [],
    ],
    [
      'a script',
      { driver: 'scripted', env: ['A'], options: {} },
      {},
      { kind: 'nobody', name: 'it plays a script' },
      ['A'],
    ],
    [
      'any command',
      { driver: 'command', env: [], options: { command: 'claude -p' } },
      { files: claudeLogin },
      { kind: 'unknown', name: "the agent's own login" },
      [],
    ],
  ];
  it.each(cases)(
    'The payer of a session is known in advance: %s [B11]',
    async (...[, agent, scene, payer, env]) => {
      expect(await settle(agent, scene)).toEqual({ ...agent, payer, env });
    },
  );
});

describe('Models over an endpoint', () => {
  const agent = (options: AgentConfig['options']): AgentConfig => ({ driver: 'openai', env: [], options });
  const cases: [string, AgentConfig['options'], Scene, Payer][] = [
    ['a local provider', { provider: 'ollama' }, {}, { kind: 'nobody', name: 'a local model' }],
    ['loopback', { baseUrl: 'http://[::1]:1/v1' }, {}, { kind: 'nobody', name: 'a local model' }],
    [
      'another machine',
      { baseUrl: 'http://127.evil.example/v1' },
      {},
      { kind: 'unknown', name: 'the operator of http://127.evil.example/v1' },
    ],
    [
      'Ollama elsewhere',
      { provider: 'ollama' },
      { env: { OLLAMA_HOST: 'gpu.lan:1' } },
      { kind: 'unknown', name: 'the operator of gpu.lan:1' },
    ],
    [
      'a model that Ollama passes on',
      { provider: 'ollama' },
      { models: ['big:120b-cloud'] },
      { kind: 'unknown', name: 'the model runs elsewhere' },
    ],
    [
      'a key',
      { provider: 'openai' },
      { env: { OPENAI_API_KEY: 'k' } },
      { kind: 'key', name: 'OPENAI_API_KEY' },
    ],
    [
      'a key of another name',
      { baseUrl: 'https://x.example/v1', apiKeyEnv: 'MY_KEY' },
      { file: { MY_KEY: 'k' } },
      { kind: 'key', name: 'MY_KEY (from .env)' },
    ],
  ];
  it.each(cases)(
    'The payer of a model over an endpoint is known in advance: %s',
    async (_, options, scene, payer) => {
      expect((await settle(agent(options), scene)).payer).toEqual(payer);
    },
  );

  it('An agent over an endpoint gets the variables that its headers name', async () => {
    const { env } = await settle(
      agent({ provider: 'vllm', headers: { 'x-a': '${TENANT}', 'x-b': '${TOKEN}' } }),
    );
    expect(env).toEqual(['TENANT', 'TOKEN']);
  });
});

describe('A key in .env beside a login', () => {
  const scene = { files: claudeLogin, file: { ANTHROPIC_API_KEY: 'k' } };

  it('A key in .env beside a login gives an error that names both answers [X6]', async () => {
    await expect(settle(claude, scene)).rejects.toMatchObject({
      code: 'who-pays',
      message: expect.stringContaining('your Claude subscription or by the key ANTHROPIC_API_KEY') as string,
      hint: expect.stringMatching(/--pay login or --pay key/) as string,
    });
  });

  it('A key in .env reaches the agent only if it pays [B11]', async () => {
    expect(await settle(claude, { ...scene, wish: 'login' })).toMatchObject({
      payer: { kind: 'subscription' },
      env: [],
    });
    expect(await settle(claude, { ...scene, wish: 'key' })).toMatchObject({
      payer: { kind: 'key', name: 'ANTHROPIC_API_KEY (from .env)' },
      env: ['ANTHROPIC_API_KEY'],
    });
  });

  it("A key that the agent's configuration names is used without a question; --pay login still overrides it", async () => {
    const named = { ...claude, env: ['ANTHROPIC_API_KEY', 'OTHER'] };
    expect(await settle(named, scene)).toMatchObject({
      payer: { kind: 'key' },
      env: ['ANTHROPIC_API_KEY', 'OTHER'],
    });
    expect((await settle(named, { ...scene, wish: 'login' })).env).toEqual(['OTHER']);
  });

  it('A payer that the user asks for and that is missing is refused', async () => {
    await expect(settle(claude, { wish: 'login' })).rejects.toThrow('no login was found');
    await expect(settle(codex, { wish: 'key', files: codexLogin })).rejects.toThrow(
      'none of CODEX_API_KEY, OPENAI_API_KEY is set',
    );
  });
});

describe('An untrusted repository', () => {
  it('A repository cannot send a login to another address by its .env', async () => {
    const file = { ANTHROPIC_BASE_URL: 'https://evil.example', CLAUDE_CONFIG_DIR: '/evil' };
    expect(await settle(claude, { files: claudeLogin, file })).toEqual({
      ...claude,
      payer: { kind: 'subscription', name: 'your Claude subscription' },
      env: [],
    });
    const own = await settle(claude, { env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } });
    expect(own).toMatchObject({
      payer: { kind: 'unknown', name: 'the operator of http://127.0.0.1:1' },
      env: ['ANTHROPIC_BASE_URL'],
    });
  });

  it('A run never freezes the value of a variable', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-secret-value', CODEX_API_KEY: 'sk-other-value' };
    for (const agent of [claude, codex]) {
      expect(JSON.stringify(await settle(agent, { env }))).not.toMatch(/secret-value|other-value/);
    }
  });
});
