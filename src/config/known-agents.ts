// Agents that need no configuration.
import type { AgentEntry } from './layers.ts';

/** By the name that follows `--agent`. An agent of the same name in the configuration wins. */
export const builtInAgents: { readonly [name: string]: AgentEntry } = {
  claude: { driver: 'claude' },
  /** The session that a person has open already; a run for it is started from there. */
  interactive: { driver: 'foreign' },
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
