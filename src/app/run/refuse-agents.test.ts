// Agents that cannot start are refused before a run is created; the others are accepted.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openEndpoint } from '#test/agents/fake-endpoint.ts';
import type { AgentConfig, RunConfig } from '#kernel/model/config.ts';
import type { OperatorError } from '#base/operator-error.ts';
import { simulatedConfig, simulatedTask } from '#test/simulated/simulated-run.ts';
import { isListedByVendor, refuseAgents } from './refuse-agents.ts';

let folder = '';
const at = (path: string): string => join(folder, path);

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-refuse-')));
  for (const name of ['claude', 'codex', 'gemini', 'my-agent']) put(`bin/${name}`, '#!/bin/sh\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(at('home'), { recursive: true, force: true });
});

function put(path: string, text: string): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), 0o755);
  return at(path);
}

interface Given {
  readonly agent: Partial<AgentConfig> & Pick<AgentConfig, 'driver'>;
  readonly env?: { readonly [name: string]: string };
  readonly model?: string | null;
  readonly sandbox?: RunConfig['sandbox'];
  readonly uid?: number;
}

/** What the refusal says, or null. */
async function refusal({
  agent,
  env = {},
  model = null,
  sandbox,
  uid = 1000,
}: Given): Promise<OperatorError | null> {
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  const own = { PATH: at('bin'), HOME: at('home'), ...env };
  const limits = { wallMs: 1, idleMs: 1, graceMs: 1 };
  const words = { done: '', reportTag: null };
  const config = simulatedConfig({
    agents: { mine: { env: [], options: {}, ...agent } },
    roles: { builder: { agent: { name: 'mine', model }, prompt: '', words, readOnly: false, limits } },
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  return refuseAgents({ env: own, ownEnv: own, root: folder }, config, []).then(
    () => null,
    (error: OperatorError) => error,
  );
}

const key = { ANTHROPIC_API_KEY: 'sk-0' };

describe('A client that is not installed', () => {
  it.each([
    ['codex', { driver: 'codex' }, 'npm install -g @openai/codex'],
    [
      'gemini',
      { driver: 'acp', options: { command: ['gemini', '--acp'] } },
      'npm install -g @google/gemini-cli',
    ],
    ['opencode', { driver: 'acp', options: { command: ['opencode', 'acp'] } }, 'npm install -g opencode-ai'],
  ])('The refusal of %s names the command that installs it', async (program, agent, install) => {
    const error = await refusal({ agent, env: { PATH: at('empty') } });
    expect(error?.message).toContain(`there is no program "${program}" on PATH`);
    expect(error?.hint).toContain(`Install it (${install})`);
  });

  it.each([
    [{ driver: 'codex' }, 'there is no program "codex" on PATH'],
    [{ driver: 'acp', options: { command: ['gemini', '--acp'] } }, 'there is no program "gemini" on PATH'],
    [{ driver: 'acp', options: { command: 'no-such-agent --acp' } }, 'no program "no-such-agent" on PATH'],
    [{ driver: 'command', options: { command: 'no-such-cli --x' } }, 'no program "no-such-cli" on PATH'],
    [{ driver: 'command', options: { command: '/no/such/cli' } }, 'there is no program "/no/such/cli"'],
    [{ driver: 'scripted', options: { script: '/no/absent.json' } }, 'absent.json of the agent'],
    [
      { driver: 'openai', options: { provider: 'openai', apiKeyEnv: 'OPENAI_API_KEY' } },
      'the variable OPENAI_API_KEY is not set',
    ],
  ])('An agent %j is refused [X6]', async (agent, message) => {
    expect((await refusal({ agent, env: { PATH: at('empty') } }))?.message).toContain(message);
  });

  it('All agents that are missing are named in one refusal, each with the command that installs it [X6]', async () => {
    const agents = {
      claude: { driver: 'claude', env: [], options: { via: 'cli' } },
      codex: { driver: 'codex', env: [], options: {} },
    };
    const env = { PATH: at('empty'), HOME: at('home') };
    const error = await refuseAgents(
      { env, ownEnv: env, root: folder },
      simulatedConfig({ agents }),
      [],
    ).catch((caught: unknown) => caught as OperatorError);
    expect(error).toMatchObject({ code: 'missing-agent' });
    expect(error?.message).toContain('no program "claude"');
    expect(error?.message).toContain('no program "codex"');
    expect(error?.hint).toContain('npm install -g @anthropic-ai/claude-code');
    expect(error?.hint).toContain('npm install -g @openai/codex');
  });

  it('The refusal of an unknown program names no install command', async () => {
    const error = await refusal({ agent: { driver: 'command', options: { command: 'no-such-agent' } } });
    expect(error?.hint).toMatch(/^Install it, correct its name/);
  });
});

describe('An agent that is not installed', () => {
  it('Claude Code without a program and without the SDK is refused with the command that installs it', async () => {
    const found = await refusal({
      agent: { driver: 'claude', options: { via: 'cli' } },
      env: { ...key, PATH: '/none' },
    });
    expect(found).toMatchObject({ code: 'missing-agent' });
    expect(found?.hint).toContain('npm install -g @anthropic-ai/claude-code');
    expect(
      await refusal({ agent: { driver: 'claude', options: { via: 'sdk', sdk: at('none') } }, env: key }),
    ).toMatchObject({
      code: 'agent-not-started',
    });
    const options = { via: 'cli', binary: at('bin/claude') };
    expect(await refusal({ agent: { driver: 'claude', options }, env: { ...key, PATH: '/none' } })).toBe(
      null,
    );
  });

  it('A program of another client that was removed since the start of the run is refused on resume', async () => {
    expect(await refusal({ agent: { driver: 'codex' }, env: { OPENAI_API_KEY: 'sk-0' } })).toBe(null);
    expect(
      await refusal({ agent: { driver: 'codex' }, env: { OPENAI_API_KEY: 'sk-0', PATH: '/none' } }),
    ).toMatchObject({ code: 'missing-agent' });
  });
});

describe('An agent with wrong settings', () => {
  it('An unknown adapter and an option unknown to its adapter are refused before a session starts', async () => {
    expect(await refusal({ agent: { driver: 'openai-compatible' } })).toMatchObject({
      code: 'unknown-driver',
    });
    const options = { command: 'sh', promt: 'stdin' };
    put('bin/sh', '#!/bin/sh\n');
    expect((await refusal({ agent: { driver: 'command', options } }))?.message).toContain(
      'no option "promt"',
    );
    expect(await refusal({ agent: { driver: 'foreign' } })).toBe(null);
  });
});

describe('An agent without login and key', () => {
  it('Claude Code and Codex are refused with the way to log in; a login, a key or a cloud is accepted', async () => {
    const claude = { driver: 'claude', options: { via: 'cli' } };
    const found = await refusal({ agent: claude });
    expect(found).toMatchObject({
      code: 'no-login',
      message: 'Claude Code is not logged in, and no key was found.',
      hint: 'Log in: start `claude` once and say /login. Or pay by a key: export ANTHROPIC_API_KEY=…',
    });
    expect(await refusal({ agent: { driver: 'codex' } })).toMatchObject({ code: 'no-login' });
    expect(await refusal({ agent: claude, env: key })).toBe(null);
    expect(await refusal({ agent: claude, env: { CLAUDE_CODE_USE_BEDROCK: '1' } })).toBe(null);
    put('home/.codex/auth.json', '{"tokens":{}}');
    put('home/.claude/.credentials.json', '{"claudeAiOauth":{}}');
    expect(await refusal({ agent: claude })).toBe(null);
    expect(await refusal({ agent: { driver: 'codex' } })).toBe(null);
  });

  it('A custom address, a wrapper, a key helper and a custom provider are not refused', async () => {
    const claude = { driver: 'claude', options: { via: 'cli' } };
    expect(await refusal({ agent: claude, env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' } })).toBe(null);
    expect(
      await refusal({ agent: { driver: 'claude', options: { via: 'cli', binary: at('bin/claude') } } }),
    ).toBe(null);
    expect(await refusal({ agent: { ...claude, env: ['CLAUDE_CODE_USE_FOUNDRY=1'] } })).toBe(null);
    put('home/.claude/settings.json', '{"apiKeyHelper":"/bin/give-key"}');
    expect(await refusal({ agent: claude })).toBe(null);
    put('home/.codex/config.toml', 'model_provider = "mine"\n');
    expect(await refusal({ agent: { driver: 'codex' } })).toBe(null);
  });

  it('Gemini is refused where no login method was ever chosen and no key is set', async () => {
    const gemini = { driver: 'acp', options: { command: ['gemini', '--acp'] } };
    expect(await refusal({ agent: gemini })).toMatchObject({
      code: 'no-login',
      message: 'Gemini CLI is not logged in, and no key was found.',
      hint: 'Log in: start `gemini` once and choose a login. Or pay by a key: export GEMINI_API_KEY=…',
    });
    expect(await refusal({ agent: gemini, env: { GEMINI_API_KEY: 'k' } })).toBe(null);
    expect(await refusal({ agent: { ...gemini, env: ['GOOGLE_GENAI_USE_GCA=true'] } })).toBe(null);
    const wrapped = { driver: 'acp', options: { command: ['my-agent', 'gemini'] } };
    expect(await refusal({ agent: wrapped })).toBe(null);
    for (const [file, text] of [
      ['oauth_creds.json', '{"access_token":"x"}'],
      ['settings.json', '{"security":{"auth":{"selectedType":"oauth-personal"}}}'],
      ['.env', 'GEMINI_API_KEY=k'],
    ] as const) {
      put(`home/.gemini/${file}`, text);
      expect(await refusal({ agent: gemini })).toBe(null);
      rmSync(at('home'), { recursive: true });
    }
  });

  it('OpenCode, which has models without a login, and custom programs are not refused', async () => {
    put('bin/opencode', '#!/bin/sh\n');
    expect(await refusal({ agent: { driver: 'acp', options: { command: ['opencode', 'acp'] } } })).toBe(null);
    expect(await refusal({ agent: { driver: 'command', options: { command: 'my-agent' } } })).toBe(null);
  });

  it('An expired Claude login counts as none without a token that renews it', async () => {
    const claude = { driver: 'claude', options: { via: 'cli' } };
    const login = (refreshToken: string, expiresAt: number): string =>
      put(
        'home/.claude/.credentials.json',
        JSON.stringify({ claudeAiOauth: { accessToken: 'x', refreshToken, expiresAt } }),
      );
    put('home/.claude.json', '{"oauthAccount":{}}');
    login('', 1);
    expect(await refusal({ agent: claude })).toMatchObject({ code: 'no-login' });
    login('y', 1);
    expect(await refusal({ agent: claude })).toBe(null);
    login('', Number.MAX_SAFE_INTEGER);
    expect(await refusal({ agent: claude })).toBe(null);
  });
});

describe('An agent as root', () => {
  const claude = (options = {}): Given['agent'] => ({
    driver: 'claude',
    options: { via: 'cli', ...options },
  });
  const none = {
    kind: 'none',
    isRequired: false,
    why: '',
    allowRead: [],
    denyRead: [],
    allowWrite: [],
    allowHosts: [],
  } as const;

  it('Claude Code is refused in one short sentence that names --allow-root', async () => {
    const found = await refusal({ agent: claude(), env: key, uid: 0, sandbox: none });
    expect(found).toMatchObject({
      code: 'agent-as-root',
      hint: expect.stringContaining('--allow-root') as string,
    });
    expect(`${found?.message ?? ''} ${found?.hint ?? ''}`.length).toBeLessThan(170);
  });

  it('Claude Code as root is accepted with consent, another permission mode, or a sandbox that changes the user', async () => {
    const root = { env: key, uid: 0, sandbox: none };
    expect(await refusal({ ...root, agent: claude({ asRoot: 'allow' }) })).toBe(null);
    expect(await refusal({ ...root, agent: claude({ permissionMode: 'acceptEdits' }) })).toBe(null);
    expect(await refusal({ ...root, agent: { ...claude(), env: ['IS_SANDBOX=1'] } })).toBe(null);
    expect(await refusal({ ...root, agent: claude(), sandbox: { ...none, kind: 'bubblewrap' } })).toBe(null);
    const outside = { ...none, kind: 'bubblewrap', outside: ['mine'] } as const;
    expect(await refusal({ ...root, agent: claude(), sandbox: outside })).toMatchObject({
      code: 'agent-as-root',
    });
  });
});

describe('A model that a local server does not have', () => {
  const list = { '/v1/models': { data: [{ id: 'qwen3:4b' }, { id: 'big:latest' }] } };

  it('A model that is not in the list of its endpoint is refused with one that is', async () => {
    const { baseUrl, close } = await openEndpoint(() => {}, list);
    const agent = { driver: 'openai', options: { baseUrl } };
    const found = await refusal({ agent, model: 'qwen3:8b' });
    expect(found).toMatchObject({
      code: 'unknown-model',
      message: 'The agent mine has no model "qwen3:8b"; it has qwen3:4b, big:latest.',
      hint: 'Choose one of them: --agent mine:qwen3:4b',
    });
    for (const model of ['qwen3:4b', 'big', null]) expect(await refusal({ agent, model })).toBe(null);
    await close();
  });

  it('A model that OpenCode does not list is refused with a listed one, and not refused if OpenCode lists nothing', async () => {
    put('bin/opencode', '#!/bin/sh\n[ "$1" = models ] && printf "acme/small-coder\\nacme/large-coder\\n"\n');
    const agent = { driver: 'acp', options: { command: ['opencode', 'acp'] } };
    expect(await refusal({ agent, model: 'acme/smal-coder' })).toMatchObject({
      code: 'unknown-model',
      hint: 'Choose one of them: --agent mine:acme/small-coder',
    });
    expect(await refusal({ agent, model: 'acme/small-coder' })).toBe(null);
    expect(await refusal({ agent })).toBe(null);
    put('bin/opencode', '#!/bin/sh\nexit 1\n');
    expect(await refusal({ agent, model: 'acme/smal-coder' })).toBe(null);
  });

  it('A model that only one task names is checked too', async () => {
    const { baseUrl, close } = await openEndpoint(() => {}, list);
    const agents = { mine: { driver: 'openai', env: [], options: { baseUrl } } };
    const task = simulatedTask('t', { agents: { builder: { name: 'mine', model: 'nope' } } });
    const place = { env: {}, ownEnv: {}, root: folder };
    await expect(refuseAgents(place, simulatedConfig({ agents }), [task])).rejects.toMatchObject({
      code: 'unknown-model',
    });
    await close();
  });

  it('An endpoint that requires a key gets it, with the headers of the agent', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      asked.push(headers.authorization, String(headers['x-team']));
      response.end(JSON.stringify({ data: [{ id: 'small' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
    const options = { baseUrl, apiKeyEnv: 'A_KEY', headers: { 'x-team': '${A_TEAM}' } };
    const env = { A_KEY: 'k', A_TEAM: 't' };
    expect(await refusal({ agent: { driver: 'openai', options }, model: 'big', env })).toMatchObject({
      code: 'unknown-model',
    });
    expect(await refusal({ agent: { driver: 'openai', options }, model: 'small', env })).toBe(null);
    expect(asked).toEqual(['Bearer k', 't', 'Bearer k', 't']);
    server.close();
  });

  it('No model is refused when the list of the endpoint has more pages', async () => {
    const pages = { '/v1/models': { data: [{ id: 'a' }], has_more: true } };
    const { baseUrl, close } = await openEndpoint(() => {}, pages);
    expect(await refusal({ agent: { driver: 'openai', options: { baseUrl } }, model: 'x' })).toBe(null);
    await close();
  });

  it.each([
    ['gpt-9', false],
    ['claude-sonnet', true],
    ['gemini-flash', true],
    ['vendor/large:free', true],
  ])('At a remote vendor, the model %s is assumed to exist: %s', (model, expected) => {
    const listed = ['claude-sonnet-20260101', 'models/gemini-flash', 'vendor/large'];
    expect(isListedByVendor(model, listed)).toBe(expected);
  });

  it('An endpoint that lists nothing, or is remote and does not answer, is not judged', async () => {
    const { baseUrl, close } = await openEndpoint(() => {});
    expect(await refusal({ agent: { driver: 'openai', options: { baseUrl } }, model: 'x' })).toBe(null);
    await close();
    const elsewhere = { baseUrl: 'https://models.invalid/v1' };
    expect(await refusal({ agent: { driver: 'openai', options: elsewhere }, model: 'x' })).toBe(null);
  });

  it('A server that is not started is refused with the way to start it', async () => {
    const { close, baseUrl } = await openEndpoint(() => {});
    await close();
    const env = { OLLAMA_HOST: new URL(baseUrl).host };
    const paid = { baseUrl, apiKeyEnv: 'A_KEY' };
    expect(
      await refusal({ agent: { driver: 'openai', options: paid }, model: 'x', env: { A_KEY: 'k' } }),
    ).toMatchObject({ code: 'no-endpoint' });
    expect(
      await refusal({ agent: { driver: 'openai', options: { provider: 'ollama' } }, env, model: 'x' }),
    ).toMatchObject({
      code: 'no-endpoint',
      hint: 'Start it with: ollama serve',
    });
  });
});
