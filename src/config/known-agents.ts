// Agents that need no configuration, and what each kind of agent sees of our environment because it is its own.
import type { AgentEntry } from './layers.ts';

/** By the name that follows `--agent`. An agent of the same name in the configuration wins. */
export const builtInAgents: { readonly [name: string]: AgentEntry } = {
  claude: { driver: 'claude' },
  codex: { driver: 'codex' },
  gemini: { driver: 'acp', command: ['gemini', '--acp'] },
  opencode: { driver: 'acp', command: ['opencode', 'acp'] },
  ollama: { driver: 'openai', provider: 'ollama' },
  lmstudio: { driver: 'openai', provider: 'lmstudio' },
  vllm: { driver: 'openai', provider: 'vllm' },
  llamacpp: { driver: 'openai', provider: 'llamacpp' },
  openai: { driver: 'openai', provider: 'openai', apiKeyEnv: 'OPENAI_API_KEY' },
  openrouter: { driver: 'openai', provider: 'openrouter', apiKeyEnv: 'OPENROUTER_API_KEY' },
};

/** Programs that people have, and how each is named as an agent. */
export const knownClients: { readonly [program: string]: string } = {
  claude: 'claude',
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
};

/** Where its login is kept, and the keys and addresses that its maker reads. */
const ownByProgram: { readonly [program: string]: string } = {
  claude:
    'CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ' +
    'ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX',
  codex: 'CODEX_HOME CODEX_API_KEY OPENAI_API_KEY OPENAI_BASE_URL',
  gemini:
    'GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_GEMINI_BASE_URL GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION ' +
    'GOOGLE_GENAI_USE_VERTEXAI GOOGLE_APPLICATION_CREDENTIALS',
  opencode: 'OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_CONFIG_CONTENT',
};

/** Names that the agent of this entry sees without anybody naming them. */
export function ownVariables({ driver, provider, apiKeyEnv, headers, command }: AgentEntry): string[] {
  const program = driver === 'acp' ? (Array.isArray(command) ? String(command[0]) : '') : driver;
  if (Object.hasOwn(ownByProgram, program)) return (ownByProgram[program] ?? '').split(' ');
  if (driver !== 'openai') return [];
  const inHeaders = JSON.stringify(headers ?? {}).matchAll(/\$\{(\w+)\}/g);
  return [
    ...(provider === 'ollama' ? ['OLLAMA_HOST'] : []),
    ...(typeof apiKeyEnv === 'string' ? [apiKeyEnv] : []),
    ...[...inHeaders].map(([, name = '']) => name),
  ];
}
