// The frozen agents of a run are hashed into `RunConfig.inputs`: another order of keys would make every open run
// look changed.
import { expect, it } from 'vitest';
import { agentGuide } from './agent-guide.ts';
import { castRoles } from './agents.ts';
import { needsOf } from './client-needs.ts';
import { builtInAgents } from './known-agents.ts';
import { defaultKnowledge } from './knowledge.ts';
import { settlePayers } from './payer.ts';

const variables = (
  'ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS ANTHROPIC_MODEL CLAUDE_CODE_OAUTH_TOKEN ' +
  'CLAUDE_CONFIG_DIR CODEX_API_KEY CODEX_HOME GEMINI_API_KEY GEMINI_CLI_TRUST_WORKSPACE GOOGLE_API_KEY GOOGLE_CLOUD_PROJECT ' +
  'GOOGLE_GEMINI_BASE_URL OLLAMA_HOST OPENAI_API_KEY OPENAI_BASE_URL OPENCODE_CONFIG OPENCODE_CONFIG_CONTENT ' +
  'OPENCODE_CONFIG_DIR OPENROUTER_API_KEY'
).split(' ');
const everything = Object.fromEntries(variables.map((name) => [name, '/x']));

async function frozen(agent: string, env: { readonly [name: string]: string } = {}): Promise<string> {
  const ownEnv = { HOME: '/h', PATH: '/bin', ...env };
  const { agents } = await castRoles({
    flags: [agent],
    settings: new Map(),
    roles: ['builder'],
    tasks: ['main'],
    cwd: '/w',
    env: ownEnv,
  });
  const read = async (): Promise<null> => null;
  return JSON.stringify(await settlePayers({ agents, env: ownEnv, ownEnv, wish: null, models: {}, read }));
}

const agents = (
  'claude,codex,gemini,opencode,ollama,lmstudio,vllm,llamacpp,openai:m,openrouter:m,interactive,command:my-cli --flag,' +
  'acp:my-agent --acp,scripted:s.json'
).split(',');

it('A run freezes each agent with a fixed wording and order [B13]', async () => {
  const texts = await Promise.all(agents.flatMap((agent) => [frozen(agent), frozen(agent, everything)]));
  await expect(texts.join('\n')).toMatchFileSnapshot('fixtures/frozen-agents.txt');
});

it('A cloud pays by a fixed order of variables [B13]', async () => {
  const cloud = (
    'AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK AWS_CONFIG_FILE ' +
    'AWS_SHARED_CREDENTIALS_FILE GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION CLOUD_ML_REGION ' +
    'ANTHROPIC_VERTEX_PROJECT_ID'
  ).split(' ');
  const env = Object.fromEntries(cloud.map((name) => [name, '/x']));
  const texts = [
    await frozen('claude', { ...env, CLAUDE_CODE_USE_BEDROCK: '1' }),
    await frozen('claude', { ...env, CLAUDE_CODE_USE_VERTEX: '1' }),
    await frozen('gemini', { ...env, GOOGLE_GENAI_USE_VERTEXAI: '1' }),
  ];
  await expect(texts.join('\n')).toMatchFileSnapshot('fixtures/frozen-clouds.txt');
});

it('A run freezes prices and wordings of usage limits in a fixed order [B13]', async () => {
  const text = JSON.stringify(defaultKnowledge, null, 1);
  await expect(text).toMatchFileSnapshot('fixtures/frozen-knowledge.txt');
});

it('The known agents are listed in a fixed order and wording', async () => {
  const text = JSON.stringify({ names: Object.keys(builtInAgents), agentGuide }, null, 1);
  await expect(text).toMatchFileSnapshot('fixtures/known-agents.txt');
});

it('The requirements of the clients are listed in a fixed order', async () => {
  const clouds = {
    CLAUDE_CODE_USE_BEDROCK: '1',
    CLAUDE_CODE_USE_VERTEX: '1',
    GOOGLE_GENAI_USE_VERTEXAI: '1',
  };
  const moved = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/c', XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: '/e' };
  const needs = ['claude', 'codex', 'gemini', 'opencode'].flatMap((name) => {
    const { driver = '', ...options } = builtInAgents[name] ?? {};
    const agent = { driver, env: [], options };
    return [needsOf(agent, {}, '/h'), needsOf(agent, { ...clouds, ...moved }, '/h')];
  });
  await expect(JSON.stringify(needs, null, 1)).toMatchFileSnapshot('fixtures/client-needs.txt');
});
