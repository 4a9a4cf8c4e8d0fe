// What `doctor` tells of each agent that needs no configuration: how to get it, how to log in, what it can do.
import type { Resumes } from '#ports/agent.ts';
import type { ClientName } from './clients.ts';

export interface GuideEntry {
  readonly title: string;
  /** Null for a server that is asked over the network. */
  readonly client: ClientName | null;
  /** Null where nothing is to be installed. */
  readonly install: string | null;
  /** Log in, start the server, or set the key. */
  readonly begin: string;
  /** Of a provider that is paid by a key: the variable that holds it. */
  readonly keyEnv?: string;
  readonly can: Abilities;
}

/** As this program uses them. */
export interface Abilities {
  /** Whether it goes on with an interrupted session; `tries`: a new one begins where it does not find that one again. */
  readonly resume: 'yes' | 'tries' | 'no';
  /** When a running session hears what it is told. */
  readonly hears: 'at once' | 'after its turn' | 'never';
  /** What it tells of its cost, where it is known to tell any; USD for tokens come from the table of prices. */
  readonly cost: 'usd' | 'tokens' | 'perhaps';
  /** Whether the operating system keeps a read-only role from writing. */
  readonly sandbox: boolean;
}

export const agentGuide: { readonly [name: string]: GuideEntry } = {
  claude: {
    title: 'Claude Code',
    client: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    begin: 'start `claude` once and say /login',
    can: { resume: 'yes', hears: 'at once', cost: 'usd', sandbox: false },
  },
  codex: {
    title: 'Codex',
    client: 'codex',
    install: 'npm install -g @openai/codex',
    begin: 'codex login',
    can: { resume: 'yes', hears: 'at once', cost: 'tokens', sandbox: true },
  },
  gemini: {
    title: 'Gemini CLI',
    client: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    begin: 'start `gemini` once and choose a login',
    can: { resume: 'tries', hears: 'after its turn', cost: 'tokens', sandbox: false },
  },
  opencode: {
    title: 'OpenCode',
    client: 'opencode',
    install: 'npm install -g opencode-ai',
    begin: 'opencode auth login',
    can: { resume: 'yes', hears: 'after its turn', cost: 'usd', sandbox: false },
  },
  ollama: local('Ollama', 'see https://ollama.com/download', 'ollama serve, then ollama pull MODEL'),
  lmstudio: local('LM Studio', 'see https://lmstudio.ai', 'lms server start, then lms load MODEL'),
  vllm: local('vLLM', 'pip install vllm', 'vllm serve MODEL'),
  llamacpp: local(
    'llama.cpp',
    'see https://github.com/ggml-org/llama.cpp',
    'llama-server -m MODEL.gguf --jinja',
  ),
  openai: remote('OpenAI', 'OPENAI_API_KEY', 'https://platform.openai.com/api-keys'),
  openrouter: remote('OpenRouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/keys'),
};

/** What an agent of the configuration can do, where its client is none of those above. */
export function abilitiesOf(driver: string): Abilities {
  if (driver === 'openai') return ownLoop();
  if (driver === 'acp') return { resume: 'tries', hears: 'after its turn', cost: 'perhaps', sandbox: false };
  return { resume: 'no', hears: 'never', cost: 'perhaps', sandbox: false };
}

/** Whether an agent continues a conversation by its client's own id, known before it is started. */
export function resumesOf(driver: string): Resumes {
  switch (driver) {
    case 'claude':
    case 'codex':
    case 'openai':
    case 'scripted':
      return 'by-id';
    case 'acp':
      return 'where-offered';
    default:
      return 'no';
  }
}

/** Our own small tool loop over an endpoint. */
function ownLoop(): Abilities {
  return { resume: 'yes', hears: 'at once', cost: 'tokens', sandbox: false };
}

function local(title: string, install: string, begin: string): GuideEntry {
  return { title, client: null, install, begin, can: ownLoop() };
}

function remote(title: string, keyEnv: string, page: string): GuideEntry {
  const begin = `get a key at ${page}, then: export ${keyEnv}=…`;
  return { title, client: null, install: null, begin, keyEnv, can: ownLoop() };
}
